"""Transcript lines of Gemini CLI: its chat files, `chats/session-TIME-ID.jsonl`.

A line is a message, or `$set` with fields of the conversation, which can be all messages. A message
with calls is written again once they have run. Source: sessions of Gemini CLI 0.61.0.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from hookd.clients.contract import Json
from hookd.clients.gemini.decode import normalize
from hookd.events.context_usage import Usage, token_count
from hookd.events.transcript import (
    Entry,
    call_entry,
    is_text,
    line_object,
    line_time,
    text_entry,
)
from hookd.json_text import as_object
from hookd.lazy_pattern import lazy_compile

_ROLES = {"user": "user", "gemini": "assistant"}
_SENT = lazy_compile(r"\s*<(?:session_context|hook_context|untrusted_context)>")
"""Beginning of a text that Gemini CLI sends in the user's name."""

_WINDOWS = {"gemini-": 1_048_576, "gemma-4-": 256_000}
"""Size of the window by the beginning of a model's name, as in Gemini CLI 0.61.0."""


def parse_line(line: bytes) -> tuple[Entry, ...]:
    """Return the messages and calls in one line; empty if it has none."""
    return tuple(
        entry
        for message in _messages(line_object(line))
        for entry in _entries(message)
        if entry is not None
    )


def results(line: bytes) -> tuple[str, ...]:
    """Return the ids of the calls that the line has a result of."""
    return tuple(
        call["id"]
        for message in _messages(line_object(line))
        for call in _calls(message)
        if "result" in call and isinstance(call.get("id"), str)
    )


def last_usage(lines: Sequence[bytes], *, own: bool = False) -> Usage | None:
    """Return the usage of the last answer; None without one. Every file has one agent."""
    for line in reversed(lines):
        if b'"tokens"' not in line:
            continue
        for message in reversed(_messages(line_object(line))):
            tokens = token_count(as_object(message.get("tokens")).get("input"))
            if message.get("type") == "gemini" and tokens:
                model = message.get("model")
                name = model if isinstance(model, str) else None
                at, window = line_time(message), _window(name or "")
                return Usage(tokens, name, at, window=window, by_model=False)
    return None


def turn_error(lines: Iterable[bytes]) -> str | None:
    """Return None: a turn that ends by an error has no AfterAgent, which ends turns here."""
    return None


def _messages(value: Mapping[str, Any]) -> list[Json]:
    """Return the messages of a line."""
    fields = value.get("$set")
    if not isinstance(fields, dict):
        return [dict(value)]
    several = fields.get("messages")
    return [one for one in several if isinstance(one, dict)] if isinstance(several, list) else []


def _entries(message: Mapping[str, Any]) -> Iterator[Entry | None]:
    kind, number, at = message.get("type"), message.get("id"), line_time(message)
    role = _ROLES.get(kind) if isinstance(kind, str) else None
    if role is None or not is_text(number):
        return
    content = message.get("content")
    for place, part in enumerate(content if isinstance(content, list) else [{"text": content}]):
        text = as_object(part).get("text")
        if not as_object(part).get("thought") and (role != "user" or _by_user(text)):
            yield text_entry(role, text, f"{number}/{place}", at)
    for call in _calls(message) if role == "assistant" else ():
        yield _call(call, at)


def _calls(message: Mapping[str, Any]) -> list[Json]:
    calls = message.get("toolCalls")
    return [one for one in calls if isinstance(one, dict)] if isinstance(calls, list) else []


def _by_user(text: object) -> bool:
    return isinstance(text, str) and _SENT.match(text) is None


def _call(call: Json, at: str | None) -> Entry | None:
    """Return a call in the names of `events/`."""
    given = {"tool_name": call.get("name"), "tool_input": call.get("args")}
    fields = normalize(given | {"hook_event_name": "BeforeTool"}, "PreToolUse")
    return call_entry(fields["tool_name"], fields["tool_input"], call.get("id"), at)


def _window(model: str) -> int | None:
    found = (size for name, size in _WINDOWS.items() if model.startswith(name))
    return next(found, None)
