"""Transcript lines of Codex: the record of a session, `rollout-TIME-THREAD.jsonl`.

A line has a `type` and a `payload`. A message or a call is a `response_item`; Codex sends many of
its texts in the user's name. Models that call tools from a script have the calls only as completed
items. Source: sessions of Codex 0.169.0.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from hookd import json_text
from hookd.clients.codex.decode import normalize
from hookd.clients.contract import Json
from hookd.events.context_usage import Usage, token_count
from hookd.events.transcript import Entry, call_entry, line_object, line_time, text_entry
from hookd.lazy_pattern import lazy_compile

_NESTED = "exec-"
"""Beginning of the id of a call that a script made."""

_SENT = lazy_compile(r"\s*(?:<[a-z_]+>|# AGENTS\.md instructions )")
"""Beginning of a text that Codex sends in the user's name, in versions that do not mark it."""


def parse_line(line: bytes) -> tuple[Entry, ...]:
    """Return the messages and calls in one line; empty if it has none."""
    value = line_object(line)
    payload, at = value.get("payload"), line_time(value)
    if not isinstance(payload, dict):
        return ()
    if value.get("type") == "response_item":
        found = _item(payload, at)
    elif value.get("type") == "event_msg" and payload.get("type") == "item_completed":
        found = _nested(payload.get("item"), at)
    else:
        return ()
    return tuple(entry for entry in found if entry is not None)


def results(line: bytes) -> tuple[str, ...]:
    """Return the ids of the calls that the line has a result of."""
    payload = json_text.as_object(line_object(line).get("payload"))
    kind, number = payload.get("type"), payload.get("call_id")
    if kind == "item_completed":
        number = json_text.as_object(payload.get("item")).get("id")
    elif not isinstance(kind, str) or not kind.endswith("_output"):
        return ()
    return (number,) if isinstance(number, str) else ()


def last_usage(lines: Sequence[bytes], *, own: bool = False) -> Usage | None:
    """Return the usage by the last count of tokens; None without one.

    After a compaction Codex estimates the total alone. A subagent has a file of its own.
    """
    for line in reversed(lines):
        if b'"token_count"' not in line:
            continue
        value = line_object(line)
        payload = json_text.as_object(value.get("payload"))
        info = json_text.as_object(payload.get("info"))
        last = json_text.as_object(info.get("last_token_usage"))
        tokens = token_count(last.get("input_tokens")) or token_count(last.get("total_tokens"))
        if value.get("type") == "event_msg" and payload.get("type") == "token_count" and tokens:
            window = token_count(info.get("model_context_window")) or None
            return Usage(tokens, at=line_time(value), window=window, by_model=False)
    return None


def turn_error(lines: Iterable[bytes]) -> str | None:
    """Return None: the record of a session has no errors of the API."""
    return None


def _item(payload: Mapping[str, Any], at: str | None) -> Iterator[Entry | None]:
    kind, call = payload.get("type"), payload.get("call_id")
    if kind == "message":
        yield from _said(payload, at)
    elif kind == "function_call":
        yield _call(payload.get("name"), _parsed(payload.get("arguments")), call, at)
    elif kind == "custom_tool_call":
        yield _call(payload.get("name"), {"command": payload.get("input")}, call, at)
    elif kind == "local_shell_call":
        action = json_text.as_object(payload.get("action"))
        yield _call("Bash", {"command": action.get("command")}, call, at)


def _said(payload: Mapping[str, Any], at: str | None) -> Iterator[Entry | None]:
    role, content = payload.get("role"), payload.get("content")
    if role not in ("user", "assistant") or not isinstance(content, list):
        return
    number = payload.get("id")
    ref = number if isinstance(number, str) and number else at or ""
    marks = json_text.as_object(payload.get("internal_chat_message_metadata_passthrough"))
    kinds = marks.get("content_item_kinds")
    for place, block in enumerate(content):
        text = json_text.as_object(block).get("text")
        kind = kinds[place] if isinstance(kinds, list) and place < len(kinds) else None
        if role == "user" and not _by_user(text, kind):
            continue
        yield text_entry(role, text, f"{ref}/{place}", at)


def _by_user(text: object, kind: object) -> bool:
    if isinstance(kind, str):
        return kind.startswith("user.")
    return isinstance(text, str) and _SENT.match(text) is None


def _nested(item: object, at: str | None) -> Iterator[Entry | None]:
    """Yield the call of a script; every other completed item is a line of its own."""
    made = json_text.as_object(item)
    number = made.get("id")
    if not isinstance(number, str) or not number.startswith(_NESTED):
        return
    if made.get("type") == "CommandExecution":
        yield _call("Bash", {"command": made.get("command")}, number, at)
    elif made.get("type") == "FileChange":
        yield _call("apply_patch", {"changes": made.get("changes")}, number, at)


def _call(name: object, given: Json, call: object, at: str | None) -> Entry | None:
    """Return a call in the names of `events/`."""
    fields = normalize({"tool_name": name, "tool_input": given}, "PreToolUse")
    return call_entry(fields["tool_name"], fields["tool_input"], call, at)


def _parsed(arguments: object) -> Json:
    """Return the arguments of a call, which are its JSON text."""
    if not isinstance(arguments, str):
        return {}
    try:
        found = json_text.parse(arguments.encode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return {"arguments": arguments}
    return found if isinstance(found, dict) else {"arguments": arguments}
