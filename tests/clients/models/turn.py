"""What a scripted model says, whatever the API: turns of text and tool calls, and HTTP replies."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Call:
    """One tool call of the model."""

    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True)
class Turn:
    """One answer of the model; `held` delays it until `Mock.release`."""

    content: tuple[str | Call, ...]
    tokens: int = 1000
    error: str = ""
    held: bool = False


def call(name: str, **arguments: Any) -> Turn:
    """Return a turn with one tool call."""
    return Turn((Call(name, arguments),))


def bash(command: str) -> Turn:
    """Return a turn with one call of Bash."""
    return call("Bash", command=command, description="Run a command")


@dataclass(frozen=True)
class Reply:
    """One HTTP response."""

    status: int
    data: bytes
    kind: str = "application/json"


def whole(body: Any, status: int = 200) -> Reply:
    """Return a reply with one JSON value."""
    return Reply(status, json.dumps(body).encode())


def events(items: Iterable[Mapping[str, Any]], *, named: bool, last: str = "") -> Reply:
    """Return server-sent events; `named` adds each item's `type` as the event's name."""
    lines = [
        (f"event: {item['type']}\n" if named else "") + f"data: {json.dumps(item)}\n\n"
        for item in items
    ]
    lines += [f"data: {last}\n\n"] if last else []
    return Reply(200, "".join(lines).encode(), "text/event-stream")
