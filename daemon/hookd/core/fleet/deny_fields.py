"""Fields of payloads that never leave the machine, such as tool_input.content."""

from collections.abc import Collection, Sequence
from typing import Any

MARK = "[not sent]"
"""Value of a field that is not sent."""


def without_fields(value: Any, denied: Collection[str]) -> Any:
    """Return a JSON value in which the denied fields have MARK as their value.

    A field is a path from the top of the value: `prompt`, `tool_input.content`; lists are passed
    through. `*` is any key: `tool_input.*`.
    """
    return _without(value, [tuple(field.split(".")) for field in denied])


def _without(value: Any, paths: Sequence[tuple[str, ...]]) -> Any:
    if not paths:
        return value
    if isinstance(value, list):
        return [_without(one, paths) for one in value]
    if not isinstance(value, dict):
        return value
    return {key: _member(key, one, paths) for key, one in value.items()}


def _member(key: str, value: Any, paths: Sequence[tuple[str, ...]]) -> Any:
    inside = [path[1:] for path in paths if path[0] in (key, "*")]
    if any(not path for path in inside):
        return MARK
    return _without(value, inside)
