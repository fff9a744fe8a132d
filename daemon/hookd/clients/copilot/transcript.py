"""Transcript lines of Copilot CLI: the events of a session, `session-state/SESSION/events.jsonl`.

A line has a `type` and its `data`; one of a subagent has an `agentId`. Only agentStop names the
file, so its place is derived for the other events. Source: sessions of Copilot CLI 1.0.102.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from hookd.clients.contract import Json
from hookd.clients.copilot.decode import normalize
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

_MESSAGES = {"user.message": "user", "assistant.message": "assistant"}
_SESSION = lazy_compile(r"[A-Za-z0-9_-]{1,100}", re.ASCII)


def place(session: object) -> str | None:
    """Return a session's file from Copilot CLI's folder; None for a malformed id.

    >>> place("9bdf587b")
    'session-state/9bdf587b/events.jsonl'
    >>> place("../../etc")
    """
    known = isinstance(session, str) and _SESSION.fullmatch(session)
    return f"session-state/{session}/events.jsonl" if known else None


def parse_line(line: bytes) -> tuple[Entry, ...]:
    """Return the messages and calls in one line; empty if it has none."""
    return tuple(entry for entry in _entries(line_object(line)) if entry is not None)


def results(line: bytes) -> tuple[str, ...]:
    """Return the ids of the calls that the line has a result of."""
    value = line_object(line)
    number = as_object(value.get("data")).get("toolCallId")
    done = value.get("type") == "tool.execution_complete"
    return (number,) if done and isinstance(number, str) else ()


def last_usage(lines: Sequence[bytes], *, own: bool = False) -> Usage | None:
    """Return the usage of the last request or compaction; None without one.

    Requests of subagents do not count. No subagent has a file of its own.
    """
    for line in reversed(lines):
        if b"session.usage_record" not in line and b"session.compaction_complete" not in line:
            continue
        value = line_object(line)
        data = as_object(value.get("data"))
        if _is_of_subagent(value):
            continue
        if value.get("type") == "session.usage_record":
            found = _usage(as_object(data.get("usage")), line_time(value))
            if found is not None:
                return found
        elif value.get("type") == "session.compaction_complete" and data.get("success") is True:
            left = token_count(data.get("postCompactionTokens"))
            return Usage(left, at=line_time(value), compacted=True, by_model=False)
    return None


def turn_error(lines: Iterable[bytes]) -> str | None:
    """Return None: Copilot CLI reports it by errorOccurred."""
    return None


def _usage(usage: Json, at: str | None) -> Usage | None:
    tokens, model = token_count(usage.get("inputTokens")), usage.get("model")
    kind = usage.get("interactionType", "conversation-agent")
    if not tokens or kind != "conversation-agent":
        return None
    window = token_count(usage.get("maxPromptTokens")) or None
    name = model if isinstance(model, str) else None
    return Usage(tokens, name, at, window=window, by_model=False)


def _entries(value: Mapping[str, Any]) -> Iterator[Entry | None]:
    kind, number, at = value.get("type"), value.get("id"), line_time(value)
    role = _MESSAGES.get(kind) if isinstance(kind, str) else None
    if role is None or not is_text(number) or _is_of_subagent(value):
        return
    data = as_object(value.get("data"))
    yield text_entry(role, data.get("content"), number, at)
    calls = data.get("toolRequests")
    for call in calls if role == "assistant" and isinstance(calls, list) else ():
        yield _call(as_object(call), at)


def _call(call: Json, at: str | None) -> Entry | None:
    """Return a call in the names of `events/`."""
    given = {"toolName": call.get("name"), "toolArgs": call.get("arguments"), "sessionId": ""}
    fields = normalize(given, "PreToolUse")
    return call_entry(fields["tool_name"], fields["tool_input"], call.get("toolCallId"), at)


def _is_of_subagent(value: Mapping[str, Any]) -> bool:
    return bool(value.get("agentId") or as_object(value.get("data")).get("parentToolCallId"))
