"""Transcript lines: the messages of a conversation in the client's file.

The client appends one JSON object per line. Many are not messages and are left out: tool results,
thinking, a subagent's turns, the client's own notes.
"""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, TypeGuard

from hookd.lazy_dataclass import dataclass
from hookd.lazy_pattern import lazy_compile
from hookd.redaction.redact import LIMIT, record, redact

INPUT_LIMIT = 2_000
"""Maximum characters of a tool call's input that are stored."""

_MARGIN = 8_192  # read past the cut, so that a secret astride it is never half visible
_NAME = 200
_TIME = lazy_compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", re.ASCII)
_NOT_SAID = ("isSidechain", "isMeta", "isApiErrorMessage", "isCompactSummary")
# Texts that the client sends in the user's name. An editor's text may be followed by a prompt.
_WRAPPED = lazy_compile(
    r"\s*<(?:(?:local-command|command|bash)-|(?:system-reminder|task-notification|agent-message)\b"
    r"|ide_\w+>[^<]*</ide_\w+>\s*\Z)"
)

_MESSAGE = (b'"type":"user"', b'"type":"assistant"')
_VERSION = lazy_compile(r"\d{1,6}(?:\.\d{1,6}){2}", re.ASCII)
_KEEPS_END = (2, 1, 120)


@dataclass(frozen=True, slots=True)
class Entry:
    """A message, redacted and cut: `ref` is unique; `at` is None if unknown."""

    role: str
    content: str
    tool_name: str | None
    ref: str
    at: str | None


def parse_line(line: bytes) -> tuple[Entry, ...]:
    """Return the messages in one line; empty if it is malformed or has none."""
    try:
        # Not pydantic's: it rejects the lone surrogates of texts that a client has cut.
        value = json.loads(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return ()
    if not isinstance(value, dict) or any(value.get(mark) for mark in _NOT_SAID):
        return ()
    role, uuid, message = value.get("type"), value.get("uuid"), value.get("message")
    if role not in ("assistant", "user") or not _is_text(uuid) or not isinstance(message, dict):
        return ()
    if message.get("model") == "<synthetic>":
        return ()
    time = value.get("timestamp")
    at = time if isinstance(time, str) and _TIME.fullmatch(time) else None
    entries = (
        _entry(role, block, f"{uuid}/{place}", at)
        for place, block in enumerate(_blocks(message.get("content")))
    )
    return tuple(entry for entry in entries if entry is not None)


def hook_contexts(lines: Iterable[bytes]) -> tuple[str, ...]:
    """Return the texts of hooks in a resumed conversation, from its transcript's lines.

    A client older than 2.1.120 resumes from the last message and drops the texts after it.
    """
    found: list[str] = []
    followed = 0
    version: tuple[int, ...] = _KEEPS_END
    for line in lines:
        if any(mark in line for mark in _MESSAGE):
            followed = len(found)
        if b'"hook_additional_context"' not in line:
            continue
        try:
            value = json.loads(line.decode("utf-8", "replace"))
        except (ValueError, RecursionError):
            continue
        added = value.get("attachment") if isinstance(value, dict) else None
        if isinstance(added, dict) and added.get("type") == "hook_additional_context":
            content = added.get("content")
            texts = content if isinstance(content, list) else [content]
            found += [text for text in texts if isinstance(text, str)]
            version = _version(value.get("version"))
    return tuple(found if version >= _KEEPS_END else found[:followed])


def _version(value: object) -> tuple[int, ...]:
    """Return a client's version; a current one if it is unknown."""
    known = isinstance(value, str) and _VERSION.fullmatch(value)
    return tuple(map(int, value.split("."))) if known and isinstance(value, str) else _KEEPS_END


def _blocks(content: object) -> list[Any]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return content if isinstance(content, list) else []


def _entry(role: str, block: object, ref: str, at: str | None) -> Entry | None:
    if not isinstance(block, dict):
        return None
    if block.get("type") == "tool_use":
        return _call(block, at) if role == "assistant" else None
    text = block.get("text")
    if block.get("type") != "text" or not isinstance(text, str) or not text.strip():
        return None
    if role == "user" and _WRAPPED.match(text):
        return None
    return Entry(role, _fit(text, LIMIT), None, _fit(ref, _NAME), at)


def _call(block: Mapping[str, Any], at: str | None) -> Entry | None:
    name, ref, given = block.get("name"), block.get("id"), block.get("input")
    if not _is_text(name) or not _is_text(ref) or not isinstance(given, dict):
        return None
    content = record(given).text[:INPUT_LIMIT]
    return Entry("assistant", content, _fit(name, _NAME), _fit(ref, _NAME), at)


def _is_text(value: object) -> TypeGuard[str]:
    return isinstance(value, str) and value != ""


def _fit(text: str, room: int) -> str:
    """Return the beginning of `text` without its secrets, as valid Unicode."""
    head = text[: room + _MARGIN].encode("utf-8", "replace").decode()
    clean = redact(head)
    if len(text) > len(head):  # a secret may extend past the end of `head`, undetected
        clean = clean[: max(len(clean) - _MARGIN, 0)]
    return clean[:room]
