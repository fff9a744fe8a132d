"""What the daemon looks after by itself, now and then: lost windows, and rows that are old.

The client's SessionEnd is often lost: a terminal is closed, a process is killed.
"""

import asyncio
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta

from hookd.core.effects import Effect, EndSession, SetAgentStatus, Status
from hookd.core.facts import iso
from hookd.core.options import Settings
from hookd.files.processes import lives
from hookd.journal import LOG
from hookd.road import written
from hookd.store.database import StoreError, Writer
from hookd.store.retention import forget
from hookd.store.windows import OpenWindow, open_windows

_PAUSE = 0.02
_EVERY = 60
"""Seconds between two rounds."""


class Rounds:
    """Ends windows whose process is gone, or from which nothing was heard for long.

    A process counts as gone only if it was seen before: the number that a client in a container
    tells may be nobody's here.
    """

    def __init__(self, writer: Writer, now: Callable[[], datetime], settings: Settings) -> None:
        self._writer = writer
        self._now = now
        idle, days = settings.sessions.idle_minutes, settings.retention.days
        self._idle = timedelta(minutes=idle) if idle else None
        self._kept = timedelta(days=days) if days else None
        self._wanted = asyncio.Event()
        self._seen: set[int] = set()

    def soon(self) -> None:
        """Let the next round begin at once."""
        self._wanted.set()

    async def run(self) -> None:
        """Make a round now and then, until cancelled."""
        while True:
            try:
                await self.round()
            except StoreError as error:
                about = {"error": str(error)}
                LOG.warning("windows could not be looked after", extra={"about": about})
            try:
                await asyncio.wait_for(self._wanted.wait(), _EVERY)
            except TimeoutError:
                continue
            self._wanted.clear()

    async def round(self) -> None:
        """End the windows that are over, then delete what is old."""
        await self._end_windows()
        gone = 0
        while self._kept and (some := await self._forget(self._kept)):
            gone += some
            await asyncio.sleep(_PAUSE)  # an answer that is due meanwhile goes first
        if gone:
            LOG.info("old rows were deleted", extra={"about": {"rows": gone}})

    async def _forget(self, kept: timedelta) -> int:
        before = self._now() - kept
        return await self._writer.run(lambda db: forget(db, before))

    async def _end_windows(self) -> None:
        """Look at every open window once."""
        windows = await self._writer.run(open_windows)
        now = self._now()
        ended = [(one, why) for one in windows if (why := self._over(one, now))]
        self._seen &= {one.id for one in windows}
        if ended:
            effects = tuple(_effects(ended))
            await self._writer.run(lambda db: written(db, effects, iso(now)))
            about = {"windows": {str(one.id): why for one, why in ended}}
            LOG.info("windows have ended without a word", extra={"about": about})

    def _over(self, window: OpenWindow, now: datetime) -> str:
        """Return why a window is over, or nothing where it is not."""
        if window.pid is not None:
            if lives(window.pid, window.begun):
                self._seen.add(window.id)
            elif window.id in self._seen:
                return "process ended"
        return "idle" if self._idle and now - window.heard > self._idle else ""


def _effects(ended: Iterable[tuple[OpenWindow, str]]) -> Iterable[Effect]:
    for window, why in ended:
        yield EndSession(window.id, why)
        if window.owner is not None:
            status: Status = "done" if why == "process ended" else "idle"
            yield SetAgentStatus(window.owner, status, 0)
