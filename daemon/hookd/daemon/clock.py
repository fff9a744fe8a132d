"""Clock: wall time that does not go back when the system clock is adjusted by a little."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

_MAX_STEP_BACK = timedelta(minutes=1)
"""Step back up to which the last time is kept; after a larger step the new time is believed."""


def ago(now: datetime, **span: int) -> datetime:
    """Return the time so long ago, or the earliest possible time."""
    try:
        return now - timedelta(**span)
    except OverflowError:  # 1000000 days mean forever
        return datetime.min.replace(tzinfo=UTC)


class MonotonicWallClock:
    """Returns the time of `clock`, but does not follow small steps back.

    After a larger step the clock was wrong before: no deadline must wait for that time. The order
    of events is that of their numbers, whatever the clock does.
    """

    def __init__(self, clock: Callable[[], datetime]) -> None:
        self._clock = clock
        self._last = datetime.min.replace(tzinfo=UTC)

    def __call__(self) -> datetime:
        """Return the time."""
        now = self._clock()
        if not timedelta(0) < self._last - now <= _MAX_STEP_BACK:
            self._last = now
        return self._last
