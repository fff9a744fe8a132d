"""Make any text safe to show: prompts, commands, file names and agents' names are hostile.

Control characters, escapes of a terminal and marks that change the direction of text become
visible escapes. The result is a value, not markup: a page escapes HTML, the board no markup reads.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

# Control characters, soft and zero-width marks, line separators, marks of direction, halves of
# characters, and the block of tags, which no screen shows.
_MARKS = (
    "\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff"
    "\ufff9-\ufffb\U000e0000-\U000e007f"
)
_UNSAFE = re.compile(f"[\x00-\x1f{_MARKS}]")
_UNSAFE_JSON = re.compile(f"[\x00-\x09\x0b-\x1f{_MARKS}]")  # newlines are its layout
_CUT = "…"


def one_line(value: Any, limit: int | None = None) -> str:
    """Return a value as one line of text that is safe to show; objects and lists as JSON.

    Of more than `limit` characters, the rest is cut.
    """
    if value is None or isinstance(value, dict | list | bool):
        value = json.dumps(value, ensure_ascii=False)
    text = str(value)
    if limit is not None:
        text = text[: limit + 1]  # escapes make it longer only
    return cut(_UNSAFE.sub(lambda found: repr(found[0])[1:-1], text), limit)


def several_lines(text: str, lines: int = 200, chars: int = 400) -> tuple[str, ...]:
    """Return a text as at most so many safe lines of so many characters; the rest is cut."""
    found = text.expandtabs(4).splitlines()
    shown = [one_line(line, chars) for line in found[:lines]]
    more = len(found) - lines
    return (*shown, f"{_CUT} {more} more lines") if more > 0 else tuple(shown)


def words(text: str, limit: int | None = None) -> str:
    """Return a text on one line, with a space for every run of white space, safe to show."""
    return one_line(" ".join(text.split()), limit)


def cut(text: str, limit: int | None) -> str:
    """Return a text of at most `limit` characters; an ellipsis shows that some are missing."""
    return text if limit is None or len(text) <= limit else text[: max(limit - 1, 0)] + _CUT


def safe_json(text: str) -> str:
    """Return the same JSON with control characters and marks of direction as escapes."""
    return _UNSAFE_JSON.sub(lambda found: "".join(_units(found[0])), text)


def _units(character: str) -> Iterator[str]:
    r"""Yield a character as JSON's escapes: two of them beyond \uffff."""
    code = ord(character)
    if code > 0xFFFF:
        code -= 0x10000
        yield f"\\u{0xD800 + (code >> 10):04x}"
        code = 0xDC00 + (code & 0x3FF)
    yield f"\\u{code:04x}"
