"""Entries of a transcript: what was said in a conversation, and the calls that were made.

A client appends one JSON object per line to its file. Each client's adapter reads its own lines and
builds entries by these functions, which redact and cut every text.
"""

import json
import re
from collections.abc import Mapping
from typing import Any, TypeGuard

from hookd.lazy_dataclass import dataclass
from hookd.lazy_pattern import lazy_compile
from hookd.redaction.redact import LIMIT, record, redact

INPUT_LIMIT = 2_000
"""Maximum characters of a tool call's input that are stored."""

_MARGIN = 8_192  # read past the cut, so that a secret astride it is never half visible
_NAME = 200
_TIME = lazy_compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", re.ASCII)


@dataclass(frozen=True, slots=True)
class Entry:
    """A message, redacted and cut: `ref` is unique; `at` is None if unknown.

    With a `tool_name` it is a call: `content` is its input, and `ref` its id.
    """

    role: str
    content: str
    tool_name: str | None
    ref: str
    at: str | None


def line_object(line: bytes) -> Mapping[str, Any]:
    """Return the JSON object in a line; empty if it is malformed, or holds another value."""
    try:
        # Not pydantic's: it rejects the lone surrogates of texts that a client has cut.
        value = json.loads(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def line_time(value: Mapping[str, Any]) -> str | None:
    """Return the `timestamp` of a line, None unless it has the form of our own times."""
    time = value.get("timestamp")
    return time if isinstance(time, str) and _TIME.fullmatch(time) else None


def text_entry(role: str, text: object, ref: str, at: str | None) -> Entry | None:
    """Return a text that was said, None if it is empty or no text."""
    if not isinstance(text, str) or not text.strip():
        return None
    return Entry(role, _fit(text, LIMIT), None, _fit(ref, _NAME), at)


def call_entry(name: object, given: object, ref: object, at: str | None) -> Entry | None:
    """Return a call of the assistant, None if its name, its input or its id is malformed."""
    if not is_text(name) or not is_text(ref) or not isinstance(given, dict):
        return None
    content = record(given).text[:INPUT_LIMIT]
    return Entry("assistant", content, _fit(name, _NAME), _fit(ref, _NAME), at)


def is_text(value: object) -> TypeGuard[str]:
    """Return whether a value is a text that is not empty."""
    return isinstance(value, str) and value != ""


def _fit(text: str, room: int) -> str:
    """Return the beginning of `text` without its secrets, as valid Unicode."""
    head = text[: room + _MARGIN].encode("utf-8", "replace").decode()
    clean = redact(head)
    if len(text) > len(head):  # a secret may extend past the end of `head`, undetected
        clean = clean[: max(len(clean) - _MARGIN, 0)]
    return clean[:room]
