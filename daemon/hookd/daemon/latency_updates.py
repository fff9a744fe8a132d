"""Adds to stored events the time that passed after their rows were written, if it was long."""

import asyncio
from collections import deque

from hookd.log.logger import LOG
from hookd.pipeline.latency import Trace
from hookd.store.database import Writer
from hookd.store.writes import took

_DELAY_S = 1.0
"""Time in which the updates of several events are collected for one transaction."""

_MAX_EVENTS = 500
"""Events that wait for their update; the oldest lose it."""


class LatencyUpdates:
    """Stores the whole duration of events whose commit or user hooks ended late."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._waiting: deque[tuple[int, str, int]] = deque(maxlen=_MAX_EVENTS)
        self._any = asyncio.Event()

    def add(self, number: int, trace: Trace) -> None:
        """Queue the update of an event."""
        self._waiting.append((*trace.row(), number))
        self._any.set()

    async def run(self) -> None:
        """Store queued updates, until cancelled."""
        while True:
            await self._any.wait()
            await asyncio.sleep(_DELAY_S)
            self._any.clear()
            await self.store()

    async def store(self) -> None:
        """Store the queued updates."""
        rows = tuple(self._waiting)
        self._waiting.clear()
        try:
            await self._writer.run(lambda db: took(db, rows))
        except Exception as error:  # noqa: BLE001 - it must not end the daemon
            about = {"events": len(rows), "error": str(error)}
            LOG.warning("durations of events not stored", extra={"about": about})
