"""Timestamps for people: local time with its UTC offset. JSON output keeps ISO-8601 in UTC."""

from datetime import datetime


def local(at: str) -> str:
    """Return a stored timestamp in the zone of this terminal, to the second.

    A text that is not a timestamp, or is out of the calendar's range, is returned unchanged.
    """
    try:
        moment = datetime.fromisoformat(at)
        return moment.astimezone().isoformat(sep=" ", timespec="seconds")
    except (ValueError, OverflowError, OSError):
        return at
