"""Charts of text: a line of small bars, and bars of a length; in ASCII where nothing else shows."""

import sys
from collections.abc import Sequence

from hookd import paths

_BLOCKS = "▁▂▃▄▅▆▇█"
_PLAIN_BLOCKS = ".:-=+*#@"
_PARTS = "▏▎▍▌▋▊▉█"
"""A bar's last character, by eighths."""


def has_unicode() -> bool:
    """Return whether the locale, and what is printed to, have the characters of charts."""
    names = (paths.variable(name) for name in ("LC_ALL", "LC_CTYPE", "LANG"))
    name = next(filter(None, names), "")
    try:
        (_BLOCKS + _PARTS).encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return name.lower().replace("-", "").endswith("utf8")


def sparkline(values: Sequence[float], *, unicode: bool) -> str:
    """Return one character for each value; a space for none.

    >>> sparkline([0, 1, 4, 8], unicode=False)
    ' .=@'
    """
    marks, most = _BLOCKS if unicode else _PLAIN_BLOCKS, max(values, default=0)
    return "".join(
        marks[min(len(marks) - 1, int(value / most * len(marks)))] if value > 0 else " "
        for value in values
    )


def bar(value: float, most: float, width: int, *, unicode: bool) -> str:
    """Return a bar of at most `width` characters; a value above zero has some.

    >>> bar(3, 6, 8, unicode=False)
    '####'
    """
    if value <= 0 or most <= 0:
        return ""
    eighths = max(1, round(min(1.0, value / most) * width * 8))
    if not unicode:
        return "#" * max(1, round(eighths / 8))
    whole, part = divmod(eighths, 8)
    return _PARTS[-1] * whole + (_PARTS[part - 1] if part else "")
