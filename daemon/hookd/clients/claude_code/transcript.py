"""Transcript lines of Claude Code: the messages of a conversation in the client's file.

Many lines are not messages and are left out: tool results, thinking, a subagent's turns, the
client's own notes.
"""

from typing import Any

from hookd.clients.claude_code.transcript_usage import last_usage
from hookd.clients.claude_code.turn_end import turn_error
from hookd.events.transcript import (
    Entry,
    call_entry,
    is_text,
    line_object,
    line_time,
    text_entry,
)
from hookd.lazy_pattern import lazy_compile

__all__ = ["last_usage", "parse_line", "results", "turn_error"]

_NOT_SAID = ("isSidechain", "isMeta", "isApiErrorMessage", "isCompactSummary")
# Texts that the client sends in the user's name. An editor's text may be followed by a prompt.
_WRAPPED = lazy_compile(
    r"\s*\[Cross-session (?:delivery|idle) notice\]"
    r"|\s*(?:Another Claude session sent a message:\s*)?<(?:(?:local-command|command|bash)-"
    r"|(?:system-reminder|task-notification|agent-message|teammate-message|cross-session-message)\b"
    r"|ide_\w+>[^<]*</ide_\w+>\s*\Z)"
)


def parse_line(line: bytes) -> tuple[Entry, ...]:
    """Return the messages in one line; empty if it is malformed or has none."""
    value = line_object(line)
    if any(value.get(mark) for mark in _NOT_SAID):
        return ()
    role, uuid, message = value.get("type"), value.get("uuid"), value.get("message")
    if role not in ("assistant", "user") or not is_text(uuid) or not isinstance(message, dict):
        return ()
    if message.get("model") == "<synthetic>":
        return ()
    at = line_time(value)
    entries = (
        _entry(role, block, f"{uuid}/{place}", at)
        for place, block in enumerate(_blocks(message.get("content")))
    )
    return tuple(entry for entry in entries if entry is not None)


def results(line: bytes) -> tuple[str, ...]:
    """Return the ids of the calls that the line has a result of."""
    message = line_object(line).get("message")
    found = (
        block.get("tool_use_id")
        for block in _blocks(message.get("content") if isinstance(message, dict) else None)
        if isinstance(block, dict) and block.get("type") == "tool_result"
    )
    return tuple(number for number in found if isinstance(number, str))


def _blocks(content: object) -> list[Any]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return content if isinstance(content, list) else []


def _entry(role: str, block: object, ref: str, at: str | None) -> Entry | None:
    if not isinstance(block, dict):
        return None
    if block.get("type") == "tool_use":
        called = call_entry(block.get("name"), block.get("input"), block.get("id"), at)
        return called if role == "assistant" else None
    text = block.get("text")
    if block.get("type") != "text" or not isinstance(text, str):
        return None
    if role == "user" and _WRAPPED.match(text):
        return None
    return text_entry(role, text, ref, at)
