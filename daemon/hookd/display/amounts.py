"""Numbers as text: durations, ages, money, shares, sizes; a dash for None."""

from datetime import datetime

_UNITS = ("bytes", "kB", "MB", "GB", "TB")
_MINUTE, _HOUR, _DAY = 60, 3_600, 86_400


def percent(value: float | None) -> str:
    """Return a share, 0.0 to 1.0, as a percentage."""
    return "-" if value is None else f"{value:.0%}"


def dollars(value: float | None) -> str:
    """Return an amount of money."""
    return "-" if value is None else f"${value:.2f}"


def milliseconds(microseconds: float | None) -> str:
    """Return a duration in milliseconds without its unit, with one decimal below 100."""
    if microseconds is None:
        return "-"
    value = microseconds / 1_000
    return f"{value:.1f}" if value < 100 else f"{value:.0f}"


def duration(seconds: float | None) -> str:
    """Return a duration with its unit, in at most two of them.

    >>> [duration(value) for value in (0.0004, 0.25, 8.13, 75, 7_500, 200_000)]
    ['0.4 ms', '250 ms', '8.1 s', '1 min 15 s', '2 h 5 min', '2 d 7 h']
    """
    if seconds is None:
        return "-"
    if seconds < 1:
        return f"{milliseconds(seconds * 1_000_000)} ms"
    if seconds < _MINUTE:
        return f"{seconds:.1f} s"
    for unit, name, part, part_name in (
        (_DAY, "d", _HOUR, "h"),
        (_HOUR, "h", _MINUTE, "min"),
        (_MINUTE, "min", 1, "s"),
    ):
        if seconds >= unit:
            whole, rest = divmod(int(seconds), unit)
            more = f" {rest // part} {part_name}" if rest >= part else ""
            return f"{whole} {name}{more}"
    raise AssertionError(seconds)


def age(since: str | None, now: datetime) -> str:
    """Return how long ago a stored timestamp was, in one unit; a dash if it is none.

    >>> age("2026-01-31T08:00:00.000Z", datetime.fromisoformat("2026-01-31T08:12:40Z"))
    '12 min'
    """
    moment = parsed_time(since)
    if moment is None:
        return "-"
    seconds = max(0, int((now - moment).total_seconds()))
    if seconds < _MINUTE:
        return f"{seconds} s"
    if seconds < _HOUR:
        return f"{seconds // _MINUTE} min"
    return f"{seconds // _HOUR} h" if seconds < 2 * _DAY else f"{seconds // _DAY} d"


def size(count: float | None) -> str:
    """Return a number of bytes with its unit.

    >>> [size(count) for count in (0, 999, 1_000, 1_250_000, 5_000_000_000)]
    ['0 bytes', '999 bytes', '1.0 kB', '1.2 MB', '5.0 GB']
    """
    if count is None:
        return "-"
    left, unit = float(count), 0
    while left >= 999.95 and unit < len(_UNITS) - 1:
        left, unit = left / 1_000, unit + 1
    return f"{left:.1f} {_UNITS[unit]}" if unit else f"{count:.0f} bytes"


def parsed_time(timestamp: str | None) -> datetime | None:
    """Return a stored timestamp; None if it is not one with a time zone."""
    try:
        moment = datetime.fromisoformat(timestamp or "")
    except (ValueError, TypeError):
        return None
    return moment if moment.tzinfo else None


def local_time(timestamp: str) -> str:
    """Return a stored timestamp in this machine's time zone, to the second, with its UTC offset.

    A text that is not a timestamp, or is out of the calendar's range, is returned unchanged.
    """
    try:
        moment = datetime.fromisoformat(timestamp)
        return moment.astimezone().isoformat(sep=" ", timespec="seconds")
    except (ValueError, OverflowError, OSError):
        return timestamp


def seconds_between(begin: str | None, end: str | None) -> float | None:
    """Return the seconds from one stored timestamp to another; None if one is missing."""
    first, last = parsed_time(begin), parsed_time(end)
    return None if first is None or last is None else (last - first).total_seconds()
