"""Keeps the counts per hour current: every ten seconds, in steps that delay no answer."""

import asyncio
from collections.abc import Awaitable, Callable
from time import perf_counter

from hookd.log.logger import LOG
from hookd.store import counts
from hookd.store.database import Connection, StoreError, Writer

_INTERVAL_S = 10.0
"""Time between two rounds. An event is counted a round later than it was seen: by then its whole
duration is stored."""

_STEP_PAUSE_S = 0.02
"""Pause between two steps, in which answers are sent."""

_STEP_S = 0.005
"""Duration of a step that is aimed at; events wait for its end."""

_MIN_EVENTS, _MAX_EVENTS = 10, 500
"""Events of the smallest and the largest step; the first one is small, as the rows may have to be
read from the disk."""


class EventCounter:
    """Counts events that are committed; counts and mark change in one transaction."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._step = _MIN_EVENTS
        self._seen: int | None = None
        self._counting = asyncio.Lock()
        self._fault = ""

    async def run(self) -> None:
        """Count periodically, until cancelled."""
        while True:
            await self.run_once()
            await asyncio.sleep(_INTERVAL_S)

    async def run_once(self) -> None:
        """Count the events that were there the last time; log a fault once."""
        async with self._counting:
            await self._guarded(self._round)

    async def finish(self) -> None:
        """Wait until the round that runs has ended, and all events are counted again if requested.

        Then what is counted may be deleted.
        """
        async with self._counting:
            await self._guarded(self._finish_recount)

    async def _guarded(self, work: Callable[[], Awaitable[None]]) -> None:
        try:
            await work()
        except (StoreError, ValueError) as error:
            if str(error) != self._fault:
                LOG.warning("events could not be counted", extra={"about": {"error": str(error)}})
            self._fault = str(error)
        else:
            self._fault = ""

    async def _finish_recount(self) -> None:
        if await self._writer.run(counts.recounts):
            await self._round()

    async def _round(self) -> None:
        last = await self._writer.run(counts.last_number)
        up_to = last if self._seen is None else self._seen  # an earlier daemon's are complete
        self._seen = last
        if not await self._writer.run(lambda db: counts.uncounted(db, up_to)):
            return
        await self._writer.run(counts.count_settled)
        self._step = _MIN_EVENTS
        while await self._count(up_to):  # noqa: ASYNC110 - it polls for nothing
            await asyncio.sleep(_STEP_PAUSE_S)

    async def _count(self, up_to: int) -> bool:
        """Do one step, and choose the size of the next; return whether there is more to do."""
        size = self._step

        def run(db: Connection) -> tuple[counts.Counted, float]:
            began = perf_counter()
            return counts.count_next(db, up_to, size), perf_counter() - began

        done, seconds = await self._writer.run(run)
        fitting = size * 2 if seconds * 2 <= _STEP_S else int(size * _STEP_S / seconds)
        self._step = max(_MIN_EVENTS, min(_MAX_EVENTS, fitting))
        return done.more
