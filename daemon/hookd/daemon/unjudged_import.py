"""Import of unjudged events: what shims left in a file without a daemon becomes rows, once."""

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

_IMPORT_TIMEOUT_S = 0.5
"""How long an event waits for the import; then the next event reports it."""

_RETRY_INTERVAL_S = 60
"""Time after which lines that could not be stored are tried again."""


class UnjudgedImporter:
    """Imports the lines that shims leave at `path`: at the start, and when an event finds more."""

    def __init__(self, path: Path, writer: Writer, now: Callable[[], datetime]) -> None:
        self._path = path
        self._writer = writer
        self._now = now
        self._taking = asyncio.Lock()

    async def import_if_any(self) -> None:
        """Import lines, if any, before an event is judged: its answer reports them."""
        if unjudged_spool.waits(self._path):
            with suppress(TimeoutError):
                async with asyncio.timeout(_IMPORT_TIMEOUT_S), self._taking:
                    await self._take()

    async def run(self) -> None:
        """Import lines periodically, until cancelled."""
        while True:
            await self.import_now()
            await asyncio.sleep(_RETRY_INTERVAL_S)

    async def import_now(self) -> None:
        """Import lines; those that cannot be stored now wait for the next time."""
        async with self._taking:
            await self._take()
        try:
            await asyncio.to_thread(unjudged_spool.clear, self._path)
        except OSError as error:
            about = {"error": str(error)}
            LOG.warning("payloads of shims could not be removed", extra={"about": about})

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
                self._failed(error)  # the others are imported all the same

    def _failed(self, error: Exception) -> None:
        about = {"error": str(error)}
        LOG.warning("unjudged events could not be imported", extra={"about": about})

    async def _keep(self, taken: Path) -> None:
        """Store all lines, then remove the file: after a crash in between they are known."""
        offset = 0
        # A shim that had opened the file before it was renamed may continue to write.
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
                why = "; ".join(dict.fromkeys(one.reason for one in split(missed)[0]))
                about = {"events": lost, "why": why}
                LOG.warning("events were not judged", extra={"about": about})
            if judged:
                LOG.warning("events judged without the daemon", extra={"about": {"events": judged}})
            offset += len(lines)
        await asyncio.to_thread(unjudged_spool.drop, taken)
