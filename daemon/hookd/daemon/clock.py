"""The home of a time that events can be kept by: put back a little, the clock is waited for."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

_WAITED_FOR = timedelta(minutes=1)
"""By how much a clock is put back at most that is waited for; what is more is believed."""


def ago(now: datetime, **span: int) -> datetime:
    """Return the time so long ago; where none is that old, the first that there is."""
    try:
        return now - timedelta(**span)
    except OverflowError:  # who writes 1000000 days means for ever
        return datetime.min.replace(tzinfo=UTC)


class MonotonicWallClock:
    """Tells the time of `clock`, and does not go back by the small steps that clocks are set by.

    A clock that was put back further was wrong before: whoever waits for a time must not wait for
    that one. The order of events is that of their numbers, whatever the clock does.
    """

    def __init__(self, clock: Callable[[], datetime]) -> None:
        self._clock = clock
        self._last = datetime.min.replace(tzinfo=UTC)

    def __call__(self) -> datetime:
        """Return the time."""
        now = self._clock()
        if not timedelta(0) < self._last - now <= _WAITED_FOR:
            self._last = now
        return self._last
