"""Database maintenance: once a minute, in steps short enough that no answer waits for them.

Rows beyond the limits of age and size are deleted, free pages are returned to the file system, the
write-ahead log is emptied, and long payloads of an older hookd are cut.
"""

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from time import perf_counter

from hookd.config.models import RetentionOptions
from hookd.core.model.facts import iso
from hookd.daemon.clock import ago
from hookd.daemon.event_counter import EventCounter
from hookd.lazy_dataclass import dataclass
from hookd.log.incidents import Incidents
from hookd.log.logger import LOG
from hookd.pipeline.evaluation import PolicyEngine
from hookd.store import space
from hookd.store.database import BUSY, Connection, StoreError, Writer
from hookd.store.maintenance import delete_old_rows
from hookd.system import spill

_STEP_PAUSE_S = 0.02
"""Pause between two steps, in which answers are sent."""

_STEP_S = 0.005
"""Duration of a step that is aimed at; events wait for its end."""

_FIRST_ROWS, _MIN_ROWS, _MAX_ROWS = 10, 2, 100
"""Rows of the first step, the smallest and the largest one.

Each row may cost 1 to 8 ms where the file is not in memory, and 0.01 ms where it is. So the first
step is small, and the largest one, too: what follows rows in memory may be on the disk.
"""

_CUT_ROWS = 20
"""Rows whose payloads are cut in one step."""

_IDLE_AFTER_S = 60
"""Time without an event after which the daemon counts as idle."""

_MAX_WAL_BYTES = 8_000_000
"""Size of the write-ahead log that is accepted while the daemon is not idle."""

_REPORTED_WAL_BYTES = 64_000_000
"""Size of the log from which a reader that keeps it from being emptied is reported."""

_MIN_FREE_BYTES = 4_000_000
"""Free space that is kept for the next rows."""

_PAGES_PER_STEP = 200
"""Pages that one step returns to the file system."""

_MAX_COMPACTED_BYTES = 64_000_000
"""Size up to which a database is compacted without a request: it takes a second."""


def next_step(rows: int, seconds: float) -> int:
    """Return the rows of the next step if this one took so many seconds."""
    fitting = rows * 2 if seconds * 2 <= _STEP_S else int(rows * _STEP_S / seconds)
    return max(_MIN_ROWS, min(_MAX_ROWS, fitting))


@dataclass
class Maintenance:
    """Keeps the database at `path` within its limits."""

    writer: Writer
    path: Path
    now: Callable[[], datetime]
    engine: PolicyEngine
    incidents: Incidents
    counter: EventCounter | None = None
    _step: int = _FIRST_ROWS

    async def run_once(self) -> None:
        """Run all steps that are due."""
        self._step = _FIRST_ROWS  # the file may have left the memory since the last run
        if self.counter is not None:
            await self.counter.finish()  # events are counted before they are deleted
        options = self.engine.config.settings.retention
        gone = await self._forget_old(options) + await self._shrink(options)
        if gone:
            LOG.info("old rows deleted", extra={"about": {"rows": gone}})
        await self._cut_payloads()
        await self._give_back()
        await self._empty_log()
        await self._convert()

    async def _forget_old(self, options: RetentionOptions) -> int:
        """Delete rows beyond the limit of age; return how many."""
        if not options.days:
            return 0
        before = ago(self.now(), days=options.days)
        gone = 0
        while some := await self._forget(before):
            gone += some
            await asyncio.sleep(_STEP_PAUSE_S)
        if self.engine.spill:
            await asyncio.to_thread(spill.forget, self.engine.spill, before)
        return gone

    async def _shrink(self, options: RetentionOptions) -> int:
        """Delete the oldest rows while the database exceeds the limit of size; return how many.

        Whole payloads go first, then everything of a time, as if the limit of age were lower.
        """
        most, gone, told = options.max_mb * 1_000_000, 0, ""
        while most and (await self._space()).used > most:
            some = await self._timed(space.drop_bodies)
            if not some:
                told = await self._until() or told
                some = await self._forget(datetime.fromisoformat(told)) if told else 0
            if not some:
                break
            gone += some
            await asyncio.sleep(_STEP_PAUSE_S)
        if gone:
            rows = f"events before {told} were deleted" if told else "whole payloads were deleted"
            self.incidents.limit("database size", f"{rows} to stay below {options.max_mb} MB")
        return gone

    async def _forget(self, before: datetime) -> int:
        return await self._timed(lambda db, many: delete_old_rows(db, before, many))

    async def _until(self) -> str | None:
        """Return the time up to which a step deletes."""
        step = self._step
        found = await self.writer.run(lambda db: space.oldest(db, step))
        # Rows of this very time are deleted too: else those of one moment would stay.
        return found and iso(datetime.fromisoformat(found) + timedelta(milliseconds=1))

    async def _timed(self, work: Callable[[Connection, int], int]) -> int:
        """Do one step, and choose the size of the next; a step that found nothing tells none."""
        step = self._step

        def run(db: Connection) -> tuple[int, float]:
            began = perf_counter()
            return work(db, step), perf_counter() - began

        some, seconds = await self.writer.run(run)
        if some:
            self._step = next_step(step, seconds)
        return some

    async def _cut_payloads(self) -> None:
        """Cut the long payloads of an older hookd."""
        while found := await self.writer.run(lambda db: space.uncut(db, _CUT_ROWS)):
            last, longer = found
            kept = await asyncio.to_thread(space.cut, longer)
            await self.writer.run(lambda db: space.keep_cut(db, last, kept))  # noqa: B023
            await asyncio.sleep(_STEP_PAUSE_S)

    async def _give_back(self) -> None:
        """Return free pages to the file system, except some that are needed again soon."""
        size = await self._space()
        spare = max(_MIN_FREE_BYTES, size.used // 10)
        while size.gives_back and size.free > spare:
            await self.writer.alone(lambda db: space.give_back(db, _PAGES_PER_STEP))
            await asyncio.sleep(_STEP_PAUSE_S)
            before, size = size, await self._space()
            if size.free >= before.free:
                break

    async def _empty_log(self) -> None:
        """Empty the write-ahead log if it is large, or the daemon is idle."""
        size = space.log_bytes(self.path)
        if size <= _MAX_WAL_BYTES and not (size and await self._idle()):
            return
        await asyncio.to_thread(space.checkpoint, self.path)
        if not await self.writer.alone(space.empty_log) and size > _REPORTED_WAL_BYTES:
            why = f"it has {size // 1_000_000} MB, since a program reads the database for long"
            self.incidents.limit("write-ahead log", why)

    async def _convert(self) -> None:
        """Convert a small database of an older hookd, so that it can return free pages."""
        size = await self._space()
        if size.gives_back or size.file > _MAX_COMPACTED_BYTES or not await self._idle():
            return
        if await asyncio.to_thread(space.has_room, self.path):
            await self.compact()

    async def compact(self) -> None:
        """Compact the database. An event that arrives meanwhile waits for a second at most."""
        await self.writer.alone(lambda db: space.patience(db, 2_000))
        try:
            await asyncio.to_thread(space.compact, self.path)
            LOG.info("database compacted")
        except StoreError as error:
            about = {"error": str(error)}
            LOG.warning("database could not be compacted", extra={"about": about})
        finally:
            await self.writer.alone(lambda db: space.patience(db, BUSY))

    async def _space(self) -> space.Space:
        return await self.writer.run(lambda db: space.space(db, self.path))

    async def _idle(self) -> bool:
        last = await self.writer.run(space.last_event)
        return last is None or last < iso(self.now() - timedelta(seconds=_IDLE_AFTER_S))
