"""Durations as people write them: 30s, 10m, 2h, 7d."""

import re
from datetime import timedelta

from hookd.lazy_pattern import lazy_compile

_SPAN = lazy_compile(r"(\d{1,5})\s*([smhd])", re.ASCII)
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}


def duration(text: str) -> timedelta | None:
    """Return a duration, None if the text is none or if it is zero.

    >>> str(duration("10m"))
    '0:10:00'
    """
    span = _SPAN.fullmatch(text.strip().lower())
    if span is None or not int(span[1]):
        return None
    return timedelta(**{_UNITS[span[2]]: int(span[1])})
