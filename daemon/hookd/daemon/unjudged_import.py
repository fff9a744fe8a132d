"""What shims could not have judged is taken over: from their file to the rows, each line once."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from functools import partial
from pathlib import Path

from hookd.core.evaluation.unjudged import MAX_FILE_BYTES, parse, split
from hookd.core.model.facts import iso
from hookd.log.logger import LOG
from hookd.store.database import StoreError, Writer
from hookd.store.maintenance import add_missed_events
from hookd.system import unjudged_spool

_PATIENCE = 0.5
"""Seconds that an event waits for that; then the next one tells."""

_EVERY = 60
"""Seconds after which what could not be kept is tried again."""


class UnjudgedImporter:
    """Takes over what shims leave at `path`: at the start, and when an event finds more."""

    def __init__(self, path: Path, writer: Writer, now: Callable[[], datetime]) -> None:
        self._path = path
        self._writer = writer
        self._now = now
        self._taking = asyncio.Lock()

    async def import_if_any(self) -> None:
        """Take over what is there, before an event is judged: its answer is to tell of it."""
        if unjudged_spool.waits(self._path):
            with suppress(TimeoutError):
                async with asyncio.timeout(_PATIENCE), self._taking:
                    await self._take()

    async def run(self) -> None:
        """Take over what is there now and then, until cancelled."""
        while True:
            await self.import_now()
            await asyncio.sleep(_EVERY)

    async def import_now(self) -> None:
        """Take over what is there; what cannot be kept now waits for the next time."""
        async with self._taking:
            await self._take()
        try:
            await asyncio.to_thread(unjudged_spool.clear, self._path)
        except OSError as error:
            about = {"error": str(error)}
            LOG.warning("payloads that shims left could not be removed", extra={"about": about})

    async def _take(self) -> None:
        try:
            taken = await asyncio.to_thread(unjudged_spool.take, self._path)
        except OSError as error:
            self._failed(error)
            return
        for one in taken:
            try:
                await self._keep(one)
            except (OSError, StoreError) as error:
                self._failed(error)  # the others are no worse for it

    def _failed(self, error: Exception) -> None:
        about = {"error": str(error)}
        LOG.warning("what was not judged could not be taken over", extra={"about": about})

    async def _keep(self, taken: Path) -> None:
        """Keep all lines, then remove the file: after a crash in between they are known."""
        offset = 0
        # A shim that had opened it before it was put aside may write on.
        while lines := await asyncio.to_thread(unjudged_spool.read, taken, offset):
            at, source, full = (
                iso(self._now()),
                f"{taken.name}@{offset}",
                len(lines) >= MAX_FILE_BYTES,
            )
            missed = parse(lines.decode("ascii", "replace"), at, full=full)
            await self._writer.run(partial(add_missed_events, source=source, missed=missed, at=at))
            lost, judged = (sum(one.count for one in some) for some in split(missed))
            if lost:
                about = {"events": lost}
                LOG.warning(
                    "events were not judged, for no daemon answered", extra={"about": about}
                )
            if judged:
                LOG.warning(
                    "events were judged without the daemon", extra={"about": {"events": judged}}
                )
            offset += len(lines)
        await asyncio.to_thread(unjudged_spool.drop, taken)
