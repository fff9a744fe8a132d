"""Events in a transcript: its tool calls as the payloads that the client sent to hooks.

A `tool_use` entry is a PreToolUse, its `tool_result` a PostToolUse, or a PostToolUseFailure. A call
that was rejected has no result of its own.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from hookd.lazy_dataclass import dataclass

_REJECTED = (
    "The user doesn't want to",
    "Permission to use",
    "<tool_use_error>",
    "PreToolUse:",
    "[Request interrupted",
)
"""Beginnings of the results of calls that did not run."""

_MARKS = (b'"tool_use"', b'"tool_result"')


@dataclass(frozen=True, slots=True)
class TranscriptEvent:
    """An event of a transcript: the number of its line, its time, its payload, the git branch.

    `payload` is None if the line is damaged.
    """

    line: int
    at: str
    payload: dict[str, Any] | None
    branch: str | None = None


def transcript_events(lines: Iterable[bytes], path: str) -> Iterator[TranscriptEvent]:
    """Yield the events of a transcript in their order, each call once; `path` is its file."""
    calls: dict[str, tuple[str, dict[str, Any]]] = {}
    done: set[str] = set()
    at = ""
    for number, line in enumerate(lines, 1):
        if not any(mark in line for mark in _MARKS):
            continue
        try:
            entry = json.loads(line.decode("utf-8", "replace"))
        except (ValueError, RecursionError):
            entry = None
        if not isinstance(entry, dict):
            if line.endswith(b"\n"):  # else the client is writing it
                yield TranscriptEvent(number, at, None)
            continue
        at = _text(entry.get("timestamp")) or at
        for payload in _payloads(entry, calls, done):
            whole = payload | _common(entry, path)
            yield TranscriptEvent(number, at, whole, _text(entry.get("gitBranch")) or None)


def first_folder(lines: Iterable[bytes]) -> str | None:
    """Return the folder in which the conversation began, None if no line names it."""
    for line in lines:
        if b'"cwd"' not in line:
            continue
        try:
            entry = json.loads(line.decode("utf-8", "replace"))
        except (ValueError, RecursionError):
            continue
        if isinstance(entry, dict) and (folder := _text(entry.get("cwd"))):
            return folder
    return None


def _payloads(
    entry: Mapping[str, Any], calls: dict[str, tuple[str, dict[str, Any]]], done: set[str]
) -> Iterator[dict[str, Any]]:
    message = entry.get("message")
    blocks = message.get("content") if isinstance(message, dict) else None
    for block in blocks if isinstance(blocks, list) else ():
        if not isinstance(block, dict):
            continue
        if entry.get("type") == "assistant" and block.get("type") == "tool_use":
            name, call, given = block.get("name"), block.get("id"), block.get("input")
            known = isinstance(name, str) and isinstance(call, str) and isinstance(given, dict)
            if known and call not in calls:
                calls[str(call)] = str(name), dict(given or {})
                yield _call("PreToolUse", str(call), calls[str(call)])
        elif entry.get("type") == "user" and block.get("type") == "tool_result":
            call = _text(block.get("tool_use_id"))
            if call in calls and call not in done:
                done.add(call)
                yield from _result(entry, block, call, calls[call])


def _result(
    entry: Mapping[str, Any], block: Mapping[str, Any], call: str, made: tuple[str, dict[str, Any]]
) -> Iterator[dict[str, Any]]:
    """Yield the event of a result, none if the call was rejected."""
    content = block.get("content")
    if block.get("is_error") is True:
        text = _joined(content)
        if not text.startswith(_REJECTED):
            yield _call("PostToolUseFailure", call, made) | {"error": text}
        return
    response = entry.get("toolUseResult", content)
    yield _call("PostToolUse", call, made) | {"tool_response": response}


def _call(event: str, call: str, made: tuple[str, dict[str, Any]]) -> dict[str, Any]:
    name, given = made
    fields = {"hook_event_name": event, "tool_name": name, "tool_input": given}
    return fields | {"tool_use_id": call}


def _common(entry: Mapping[str, Any], path: str) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "session_id": _text(entry.get("sessionId")),
        "transcript_path": path,
        "cwd": _text(entry.get("cwd")) or None,
    }
    if entry.get("isSidechain") is True:
        fields["agent_id"] = _text(entry.get("agentId")) or "sidechain"
    return fields


def _joined(content: object) -> str:
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "\n".join(_text(part.get("text")) for part in parts if isinstance(part, dict))


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
