"""The home of how far back is meant: 10m, 2h or 1d before now, or a time."""

import re
from datetime import UTC, datetime, timedelta

from hookd.cli.lib.errors import Problem

_AGE = re.compile(r"(\d{1,6})\s*([smhdw])", re.ASCII)
_SECONDS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800}


def moment(text: str, now: str) -> str:
    """Return the timestamp that a text means, as stored; without an offset it is local time.

    >>> moment("2h", "2026-01-31T08:00:00.000Z")
    '2026-01-31T06:00:00.000Z'
    """
    try:
        age = _AGE.fullmatch(text.strip().lower())
        if age:
            at = datetime.fromisoformat(now) - timedelta(seconds=int(age[1]) * _SECONDS[age[2]])
        else:
            at = datetime.fromisoformat(text.strip())
        at = at.astimezone(UTC)
    except (ValueError, OverflowError, OSError):
        sentence = f"{text!r} is no age and no time."
        raise Problem(sentence, "--since 10m, 2h, 1d, or a time: 2026-01-31T08:00") from None
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
