"""Truncate a tool's output: keep its structure, cut its longest texts.

Texts keep their start, are cut at whole lines if that costs little and never inside a character,
and say how much is missing. Images and other binary content are neither counted nor changed. The
time is about linear in the size of the output.
"""

from collections.abc import Iterable, Iterator
from typing import Any

MIN_OUTPUT_CHARS = 1_000
"""Characters that an output may always have."""

_UNCUT_CHARS = 200
"""Characters of a text up to which it is never cut: a title, a URL, a status."""

_HEADER_LINES = 3
"""Short lines at the start of a text that are kept, since they describe the rest."""

_MAX_DEPTH = 12
"""Levels of nesting below which nothing is cut."""

_BINARY = frozenset({"image", "audio", "document", "base64"})
_BINARY_KEYS = frozenset({"blob", "base64"})


def length(output: Any) -> int:
    """Return how many characters of text an output has."""
    return sum(map(len, _texts(output)))


def shortened(output: Any, room: int) -> Any:
    """Return an output of the same structure with about `room` characters of text at most.

    Return the output itself if it fits, or if nothing in it can be cut.
    """
    lengths = [len(text) for text in _texts(output)]
    if sum(lengths) <= max(room, MIN_OUTPUT_CHARS):
        return output
    level = _level(lengths, room)
    if isinstance(output, dict) and isinstance(output.get("content"), list):
        rest = {key: value for key, value in output.items() if key != "content"}
        blocks = _blocks(output["content"], level, room)
        return {**output, **_cut(rest, level), "content": blocks}
    return _blocks(output, level, room) if isinstance(output, list) else _cut(output, level)


def cut(text: str, room: int) -> str:
    """Return the start of a text, followed by a note on how much is missing."""
    at = _place(text, room)
    if at >= len(text):
        return text
    lines = text.count("\n", at) + (not text.endswith("\n"))
    missing = f"{len(text) - at:,} characters" + (f" in {lines:,} lines" if lines > 1 else "")
    gap = "\n" if at and text[at - 1] != "\n" else ""
    return f"{text[:at]}{gap}[cut by hookd: {missing} of this output are left out]"


def _place(text: str, room: int) -> int:
    """Return the position of the cut: after a line, unless that loses half of the room."""
    if room <= 0:
        return 0
    at = max(room, _header(text))
    line = text.rfind("\n", 0, at) + 1
    if line > at // 2:
        return line
    return at - 1 if "\ud800" <= text[at - 1] <= "\udbff" else at


def _header(text: str) -> int:
    end = 0
    for _ in range(_HEADER_LINES):
        end = text.find("\n", end, MIN_OUTPUT_CHARS) + 1
        if not end:
            return 0
    return end


def _level(lengths: Iterable[int], room: int) -> int:
    """Return the length to which texts must be cut so that all of them fit."""
    ordered = sorted(lengths)
    left = max(room, 0)
    for done, one in enumerate(ordered):
        share = left // (len(ordered) - done)
        if one > share:
            return share
        left -= one
    return left


def _opaque(value: dict[Any, Any]) -> bool:
    kind = value.get("type")
    return (
        (isinstance(kind, str) and kind in _BINARY)
        or value.get("isImage") is True
        or not _BINARY_KEYS.isdisjoint(value)
    )


def _texts(value: Any, depth: int = 0) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif depth < _MAX_DEPTH and isinstance(value, list):
        for one in value:
            yield from _texts(one, depth + 1)
    elif depth < _MAX_DEPTH and isinstance(value, dict) and not _opaque(value):
        for one in value.values():
            yield from _texts(one, depth + 1)


def _cut(value: Any, level: int, depth: int = 0) -> Any:
    if isinstance(value, str):
        return cut(value, level) if len(value) > max(level, _UNCUT_CHARS) else value
    if depth < _MAX_DEPTH and isinstance(value, list):
        return [_cut(one, level, depth + 1) for one in value]
    if depth < _MAX_DEPTH and isinstance(value, dict) and not _opaque(value):
        return {key: _cut(one, level, depth + 1) for key, one in value.items()}
    return value


def _blocks(blocks: list[Any], level: int, room: int) -> list[Any]:
    """Return a list with its texts cut; the last of too many text blocks are dropped."""
    kept: list[Any] = []
    used, missing = 0, 0
    for block in blocks:
        text = (
            block.get("text") if isinstance(block, dict) and block.get("type") == "text" else None
        )
        if isinstance(text, str):
            used += len(text) if len(text) <= _UNCUT_CHARS else min(len(text), level)
            if used > room:
                missing += 1
                continue
        kept.append(_cut(block, level))
    if missing:
        said = f"[cut by hookd: {missing:,} blocks of this output are left out]"
        kept.append({"type": "text", "text": said})
    return kept
