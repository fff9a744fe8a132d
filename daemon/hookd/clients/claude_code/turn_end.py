"""Turn end by the transcript: clients without StopFailure report an API error only there."""

import json
from collections.abc import Iterable
from typing import Any

_KINDS = {
    "rate_limit": ("hit your limit", "rate_limit", "rate limit"),
    "overloaded": ("overloaded",),
    "context_exhausted": (
        "prompt is too long",
        "conversation is too long",
        "context_length_exceeded",
    ),
}
"""Words of a client's texts for API errors, in lower case, by kind."""

_ERROR_TYPES = ("rate_limit", "rate_limit_error", "overloaded", "overloaded_error")


def turn_error(lines: Iterable[bytes]) -> str | None:
    """Return the error that ended a conversation's last turn, by a transcript's last lines.

    It is the kind of the last message: `rate_limit`, `overloaded`, `context_exhausted`, or
    `unknown` for another error of the API. None if the turn ended normally.
    """
    found = None
    for line in lines:
        said = _line(line)
        if said is not None:
            found = _error(said)
    return found


def _line(line: bytes) -> dict[str, Any] | None:
    """Return a line with a message of the main conversation, else None."""
    try:
        value = json.loads(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or value.get("isSidechain"):
        return None
    speaks = value.get("type") in ("assistant", "user", *_ERROR_TYPES)
    return value if speaks else None


def _error(said: dict[str, Any]) -> str | None:
    if said["type"] in _ERROR_TYPES:
        return "overloaded" if said["type"].startswith("overloaded") else "rate_limit"
    if said["type"] == "user" or not said.get("isApiErrorMessage"):
        return None
    text = json.dumps([said.get("error"), said.get("message")], ensure_ascii=False).lower()
    kinds = (kind for kind, words in _KINDS.items() if any(word in text for word in words))
    return next(kinds, "unknown")
