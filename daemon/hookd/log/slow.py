"""Log what was slow, by its name: a line a minute for each name."""

from collections.abc import Callable
from threading import Lock
from time import monotonic
from typing import Literal

from hookd.log.logger import LOG

SLOW_S = 0.05
"""Seconds from which on a policy or a statement is slow; a policy is never skipped."""

_INTERVAL_S = 60.0
"""Time after a line in which others of the same name are counted, not written."""

_MAX_NAMES = 200


class SlowLog:
    """Reports slow policies or statements. Any thread may call it."""

    def __init__(
        self, kind: Literal["policy", "statement"], clock: Callable[[], float] = monotonic
    ) -> None:
        self._kind = kind
        self._clock = clock
        self._lock = Lock()
        self._last: dict[str, tuple[float, int]] = {}

    def note(self, name: str, seconds: float) -> None:
        """Log that `name` took so long, with the count of those since its last line."""
        if seconds < SLOW_S:
            return
        now = self._clock()
        with self._lock:
            if name not in self._last and len(self._last) >= _MAX_NAMES:
                self._last.clear()
            last, count = self._last.get(name, (now - _INTERVAL_S, 0))
            due = now - last >= _INTERVAL_S
            self._last[name] = (now, 0) if due else (last, count + 1)
        if due:
            about = {self._kind: name, "milliseconds": round(seconds * 1000, 1), "others": count}
            LOG.warning(f"slow {self._kind}", extra={"about": about})
