"""Transcript lines of Qwen Code: its chat files, `chats/SESSION.jsonl`.

The lines have the fields of Claude Code's, and messages in the form of Gemini's API: `parts` with a
text or a call. Source: sessions of Qwen Code 0.24.4.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from hookd.clients.contract import Json
from hookd.clients.qwen.decode import normalize
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

_ROLES = {"user": "user", "assistant": "assistant"}
_BY_USER = (None, "real_user")


def parse_line(line: bytes) -> tuple[Entry, ...]:
    """Return the messages and calls in one line; empty if it has none."""
    return tuple(entry for entry in _entries(line_object(line)) if entry is not None)


def results(line: bytes) -> tuple[str, ...]:
    """Return the ids of the calls that the line has a result of."""
    parts = as_object(line_object(line).get("message")).get("parts")
    found = (
        as_object(as_object(part).get("functionResponse")).get("id")
        for part in (parts if isinstance(parts, list) else ())
    )
    return tuple(number for number in found if isinstance(number, str))


def last_usage(lines: Sequence[bytes], *, own: bool = False) -> Usage | None:
    """Return the usage of the last answer or compression; None without one.

    The size of the window is not in the file: Stop reports it. Lines of a subagent count only with
    `own`.
    """
    for line in reversed(lines):
        if b'"usageMetadata"' not in line and b'"chat_compression"' not in line:
            continue
        value = line_object(line)
        found = None if value.get("isSidechain") and not own else _usage(value)
        if found is not None:
            return found
    return None


def turn_error(lines: Iterable[bytes]) -> str | None:
    """Return None: Qwen Code reports it by StopFailure."""
    return None


def _usage(value: Mapping[str, Any]) -> Usage | None:
    at, model = line_time(value), value.get("model")
    if (value.get("type"), value.get("subtype")) == ("system", "chat_compression"):
        info = as_object(as_object(value.get("systemPayload")).get("info"))
        left = token_count(info.get("newTokenCount"))
        return Usage(left, at=at, compacted=True, by_model=False)
    tokens = token_count(as_object(value.get("usageMetadata")).get("promptTokenCount"))
    if value.get("type") != "assistant" or not tokens:
        return None
    return Usage(tokens, model if isinstance(model, str) else None, at, by_model=False)


def _entries(value: Mapping[str, Any]) -> Iterator[Entry | None]:
    kind, number, at = value.get("type"), value.get("uuid"), line_time(value)
    role = _ROLES.get(kind) if isinstance(kind, str) else None
    parts = as_object(value.get("message")).get("parts")
    if role is None or not is_text(number) or value.get("isSidechain"):
        return
    if role == "user" and value.get("provenance") not in _BY_USER:
        return
    for place, part in enumerate(parts if isinstance(parts, list) else ()):
        about = as_object(part)
        call = about.get("functionCall")
        if isinstance(call, dict) and role == "assistant":
            yield _call(call, value.get("cwd"), at)
        elif not about.get("thought"):
            yield text_entry(role, about.get("text"), f"{number}/{place}", at)


def _call(call: Json, cwd: object, at: str | None) -> Entry | None:
    """Return a call in the names of `events/`."""
    given = {"tool_name": call.get("name"), "tool_input": call.get("args"), "cwd": cwd}
    fields = normalize(given, "PreToolUse")
    return call_entry(fields["tool_name"], fields["tool_input"], call.get("id"), at)
