"""JSON-RPC messages of a client: a request as a line, a line as a message, an answer's result."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hookd.lazy_dataclass import dataclass
from hookd.socket_client.errors import ProtocolError

LIMIT = 16 * 1024 * 1024
"""Bytes of the longest line, in both directions."""

Params = Mapping[str, Any] | Sequence[Any]
Message = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Notification:
    """A JSON-RPC notification that a subscription received."""

    method: str
    params: Any


def request(number: int, method: str, params: Params) -> bytes:
    """Return the line of a request. Raise ProtocolError if it is too long."""
    message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    line = json.dumps(message, separators=(",", ":")).encode() + b"\n"
    if len(line) > LIMIT:
        raise ProtocolError("That is more than the 16 MiB of one request.", "send less at a time")
    return line


def read_message(line: bytes, socket: Path) -> Message:
    """Return the message of a line from `socket`. Raise ProtocolError if it is none."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        message = None
    if isinstance(message, dict):
        return message
    raise ProtocolError(f"What answers on {socket} does not speak JSON-RPC.", "hookd restart")


def too_long() -> ProtocolError:
    """Return the error for a line of the daemon that exceeds LIMIT."""
    return ProtocolError(
        "The answer is longer than 16 MiB.", "ask for less, for example by --limit"
    )


def is_notification(message: Message) -> bool:
    """Return whether a message is a notification."""
    return "method" in message


def notification(message: Message) -> Notification:
    """Return a message that is a notification."""
    return Notification(str(message["method"]), message.get("params"))
