"""Lines of styled text for the board: escaped, cut and padded to columns of a terminal.

A style is a name of `theme.py`. Texts of sessions are hostile: each goes through `safe`, and none
is ever read as markup.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from rich.cells import cell_len, set_cell_size

from hookd.display.amounts import parsed_time
from hookd.display.text import several_lines, words

_HOUR = 60
_DAY = 24 * _HOUR
_MAX_CHARS = 4_000
"""Characters of a line; it is wrapped where it is shown."""


class Span(NamedTuple):
    """A text on one line, and the name of its style."""

    text: str
    style: str = ""


Line = tuple[Span, ...]


class Item(NamedTuple):
    """A line of a pane; `key` is what the cursor selects, None for a heading."""

    key: str | None
    value: Any


def safe(value: Any) -> str:
    """Return a text as one line that a terminal shows as it is; line breaks become spaces."""
    text = "" if value is None else str(value)
    if not text.isprintable():  # it is most of the time
        text = words(text)
    # What is still not printable has no mark of its own; terminals disagree on U+FE0F's width.
    return _printable(text)


def _printable(text: str) -> str:
    if not text.isprintable():
        text = "".join(one if one.isprintable() else ascii(one)[1:-1] for one in text)
    return text.replace("\ufe0f", "")


def safe_lines(text: str, limit: int = 400) -> list[str]:
    """Return the lines of a text, each safe to show; at most `limit`, then their number."""
    return [_printable(line.rstrip()) for line in several_lines(text, limit, _MAX_CHARS)]


@lru_cache(maxsize=8192)
def clip(text: str, width: int) -> str:
    """Return a safe text cut to `width` columns; an ellipsis shows the cut."""
    if text.isascii():
        if len(text) <= width:
            return text
    elif cell_len(text[: 4 * width + 4]) <= width and len(text) <= 4 * width:
        return text
    if width <= 1:
        return "…"[: max(width, 0)]
    return set_cell_size(text[: 4 * width], width - 1).rstrip() + "…"


def fit(text: str, width: int, *, right: bool = False) -> str:
    """Return a safe text cut and padded to exactly `width` columns."""
    short = clip(text, width)
    gap = " " * (width - (len(short) if short.isascii() else cell_len(short)))
    return gap + short if right else short + gap


def width_of(line: Iterable[Span]) -> int:
    """Return the columns of a line."""
    return sum(cell_len(span.text) for span in line)


def cut(line: Sequence[Span], width: int) -> Line:
    """Return a line of at most `width` columns."""
    left, kept = width, []
    for span in line:
        columns = cell_len(span.text)
        if columns > left:
            kept.append(Span(clip(span.text, left), span.style))
            break
        kept.append(span)
        left -= columns
    return tuple(kept)


def spread(left: Sequence[Span], right: Sequence[Span], width: int) -> Line:
    """Return a line with one part at each end; the right one goes first where room is short."""
    room = width - width_of(left)
    if width_of(right) + 1 > room:
        return cut(left, width)
    return (*left, Span(" " * (room - width_of(right))), *right)


def wrapped(text: str, width: int) -> list[str]:
    """Return a safe text in lines of at most `width` columns, broken between words if possible."""
    lines, rest = [], text
    while cell_len(rest) > width > 1:
        head = set_cell_size(rest, width).rstrip(" ")
        while head and not rest.startswith(head):  # a wide character was replaced by a space
            head = head[:-1]
        space = head.rfind(" ")
        if space > width // 2 and rest[len(head) : len(head) + 1] != " ":
            head = head[:space]
        head = head or rest[:1]
        lines.append(head)
        rest = rest[len(head) :].lstrip(" ")
    return [*lines, rest] if rest or not lines else lines


def bar(share: float, width: int) -> tuple[str, str]:
    """Return the full and the empty part of a bar of `width` columns for a share of 0.0 to 1.0."""
    halves = round(min(max(share, 0.0), 1.0) * width * 2)
    full = "━" * (halves // 2) + ("╸" if halves % 2 else "")
    return full, "─" * (width - len(full))


def last_part(path: Any) -> str:
    """Return the last part of a path, "" without one."""
    return str(path or "").rstrip("/").rpartition("/")[2]


def age(since: str | None, now: datetime | None) -> str:
    """Return the time since a stored timestamp in at most four characters: 45s, 12m, 3h, 5d."""
    moment = parsed_time(since)
    if moment is None or now is None:
        return ""
    seconds = max(int((now - moment).total_seconds()), 0)
    minutes = seconds // 60
    if minutes < 1:
        return f"{seconds}s"
    if minutes < _HOUR:
        return f"{minutes}m"
    return f"{minutes // _HOUR}h" if minutes < _DAY else f"{min(minutes // _DAY, 999)}d"


def clock(at: str | None) -> str:
    """Return a stored timestamp as the time of day in the terminal's zone."""
    moment = parsed_time(at)
    try:
        return f"{moment.astimezone():%H:%M:%S}" if moment else "--:--:--"
    except (ValueError, OverflowError, OSError):
        return "--:--:--"
