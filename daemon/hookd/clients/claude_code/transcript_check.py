"""Transcript check: flaws that make the API refuse a resumed conversation.

The API requires that a message of the model with thinking begins with it, and that every tool call
has its result. The client writes a line for each block of a message; lines with the same id are
one message.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import field
from typing import Any, Literal

from hookd.lazy_dataclass import dataclass

_THINKING = ("thinking", "redacted_thinking")
_NAME = 200


@dataclass(frozen=True, slots=True)
class Flaw:
    """A flaw in a line. `state` is `warn` if it may be none: a call may still run."""

    line: int
    state: Literal["warn", "fail"]
    problem: Literal["broken line", "thinking is not first", "call without result"]
    what: str


@dataclass(slots=True)
class _Message:
    """A message of the model, as far as it was read; `reported`: its flaw is in the list."""

    line: int
    thinks_first: bool
    reported: bool = False


@dataclass(slots=True)
class Checked:
    """Result of a check: numbers of lines and of messages of the model, and their flaws."""

    lines: int = 0
    messages: int = 0
    flaws: list[Flaw] = field(default_factory=list)


def check_transcript(lines: Iterable[bytes | None]) -> Checked:
    """Check the lines of a transcript, in their order; None is a line too long to be read.

    Text that the client has not ended by a newline yet is no line.
    """
    checked = Checked()
    messages: dict[str, _Message] = {}
    calls: dict[str, tuple[int, str, str]] = {}
    last = ""
    for line in lines:
        checked.lines += 1
        value = _parsed(line)
        if value is None:
            why = "it is too long to be read" if line is None else "it is no JSON object"
            checked.flaws.append(Flaw(checked.lines, "fail", "broken line", why))
            continue
        if value.get("type") == "assistant":
            last = _message_id(value) or f"line {checked.lines}"
            checked.flaws += _ordered(value, last, checked.lines, messages)
            for key, name in _calls(value):
                calls[key] = (checked.lines, last, name)
        elif value.get("type") == "user":
            for key in _results(value):
                calls.pop(key, None)
    checked.messages = len(messages)
    checked.flaws += _unanswered(calls, last)
    checked.flaws.sort(key=lambda flaw: flaw.line)
    return checked


def _parsed(line: bytes | None) -> dict[str, Any] | None:
    try:
        value = None if line is None else json.loads(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _ordered(
    value: dict[str, Any], key: str, line: int, messages: dict[str, _Message]
) -> Iterator[Flaw]:
    """Yield the flaw of a message whose thinking is not its first block, once."""
    for block in _blocks(value):
        thinks = block.get("type") in _THINKING
        message = messages.setdefault(key, _Message(line, thinks))
        if thinks and not message.thinks_first and not message.reported:
            message.reported = True
            what = f"{key[:_NAME]} begins in line {message.line} with something else"
            yield Flaw(line, "fail", "thinking is not first", what)


def _unanswered(calls: dict[str, tuple[int, str, str]], last: str) -> Iterator[Flaw]:
    for key, (line, message, name) in calls.items():
        # Calls of the last message may still run.
        runs = message == last
        state: Literal["warn", "fail"] = "warn" if runs else "fail"
        yield Flaw(line, state, "call without result", f"{name} {key[:_NAME]}")


def _message_id(value: dict[str, Any]) -> str | None:
    message = value.get("message")
    key = message.get("id") if isinstance(message, dict) else None
    return key if isinstance(key, str) and key else None


def _blocks(value: dict[str, Any]) -> list[dict[str, Any]]:
    message = value.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    if isinstance(content, str):
        return [{"type": "text"}]
    return (
        [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
    )


def _calls(value: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for block in _blocks(value):
        key, name = block.get("id"), block.get("name")
        if block.get("type") == "tool_use" and isinstance(key, str):
            yield key, str(name)[:_NAME]


def _results(value: dict[str, Any]) -> Iterator[str]:
    for block in _blocks(value):
        key = block.get("tool_use_id")
        if block.get("type") == "tool_result" and isinstance(key, str):
            yield key
