"""Keeping the database within its limits, once a minute and in steps that no answer waits for.

Rows beyond the limits of age and size are deleted, free pages are given back to the file system,
the write-ahead log is emptied, and long payloads of an older hookd are cut.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from time import perf_counter

from hookd.config.models import RetentionOptions
from hookd.core.model.facts import iso
from hookd.daemon.clock import ago
from hookd.log.incidents import Incidents
from hookd.log.logger import LOG
from hookd.pipeline.evaluation import PolicyEngine
from hookd.store import space
from hookd.store.database import BUSY, Connection, StoreError, Writer
from hookd.store.maintenance import delete_old_rows
from hookd.system import spill

_PAUSE = 0.02
"""Seconds between two steps: an answer that is due meanwhile goes first."""

_QUICK, _SLOW = 0.005, 0.02
"""Seconds of a step below which the next one is larger, and above which it is smaller."""

_LEAST, _MOST = 20, 1_000
"""Rows of one step."""

_IDLE = 60
"""Seconds without an event after which the daemon counts as idle."""

_LOG = 8_000_000
"""Bytes of the write-ahead log that are left where there is work to do."""

_HELD = 64_000_000
"""Bytes of the log from which on a person is told of whoever keeps it from being emptied."""

_FREE = 4_000_000
"""Free bytes that are kept for what comes next."""

_PAGES = 200
"""Pages that one step gives back."""

_SMALL = 64_000_000
"""Bytes up to which a database is compacted without a request: that takes a second."""


@dataclass
class Maintenance:
    """Keeps the database at `path` within its limits."""

    writer: Writer
    path: Path
    now: Callable[[], datetime]
    house: PolicyEngine
    incidents: Incidents
    _step: int = _LEAST

    async def run_once(self) -> None:
        """Do what is due."""
        options = self.house.config.settings.retention
        gone = await self._forget_old(options) + await self._shrink(options)
        if gone:
            LOG.info("old rows were deleted", extra={"about": {"rows": gone}})
        await self._cut_payloads()
        await self._give_back()
        await self._empty_log()
        await self._convert()

    async def _forget_old(self, options: RetentionOptions) -> int:
        """Delete what is older than the limit of age; return how many rows."""
        if not options.days:
            return 0
        before = ago(self.now(), days=options.days)
        gone = 0
        while some := await self._forget(before):
            gone += some
            await asyncio.sleep(_PAUSE)
        if self.house.spill:
            await asyncio.to_thread(spill.forget, self.house.spill, before)
        return gone

    async def _shrink(self, options: RetentionOptions) -> int:
        """Delete the oldest rows where the database exceeds the limit of size; return how many.

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
            await asyncio.sleep(_PAUSE)
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
        # What has this very time is deleted, too: else rows of one moment would never go.
        return found and iso(datetime.fromisoformat(found) + timedelta(milliseconds=1))

    async def _timed(self, work: Callable[[Connection, int], int]) -> int:
        """Do one step; a quick one makes the next larger, a slow one makes it smaller."""
        step = self._step

        def run(db: Connection) -> tuple[int, float]:
            began = perf_counter()
            return work(db, step), perf_counter() - began

        some, seconds = await self.writer.run(run)
        if some and seconds < _QUICK:
            self._step = min(_MOST, step * 2)
        elif seconds > _SLOW:
            self._step = max(_LEAST, step // 2)
        return some

    async def _cut_payloads(self) -> None:
        """Cut the long payloads of an older hookd."""
        while found := await self.writer.run(lambda db: space.uncut(db, _LEAST)):
            last, longer = found
            kept = await asyncio.to_thread(space.cut, longer)
            await self.writer.run(lambda db: space.keep_cut(db, last, kept))  # noqa: B023
            await asyncio.sleep(_PAUSE)

    async def _give_back(self) -> None:
        """Give free pages back, but for some that are needed again soon."""
        size = await self._space()
        spare = max(_FREE, size.used // 10)
        while size.gives_back and size.free > spare:
            await self.writer.alone(lambda db: space.give_back(db, _PAGES))
            await asyncio.sleep(_PAUSE)
            before, size = size, await self._space()
            if size.free >= before.free:
                break

    async def _empty_log(self) -> None:
        """Empty the write-ahead log where it is large, or nobody needs it."""
        size = space.log_bytes(self.path)
        if size <= _LOG and not (size and await self._idle()):
            return
        await asyncio.to_thread(space.checkpoint, self.path)
        if not await self.writer.alone(space.empty_log) and size > _HELD:
            why = f"it has {size // 1_000_000} MB, since a program reads the database for long"
            self.incidents.limit("write-ahead log", why)

    async def _convert(self) -> None:
        """Let a small database of an older hookd give free pages back from now on."""
        size = await self._space()
        if size.gives_back or size.file > _SMALL or not await self._idle():
            return
        if await asyncio.to_thread(space.has_room, self.path):
            await self.compact()

    async def compact(self) -> None:
        """Compact the database. An event that arrives meanwhile waits, a second at most."""
        await self.writer.alone(lambda db: space.patience(db, 2_000))
        try:
            await asyncio.to_thread(space.compact, self.path)
            LOG.info("the database was compacted")
        except StoreError as error:
            about = {"error": str(error)}
            LOG.warning("the database could not be compacted", extra={"about": about})
        finally:
            await self.writer.alone(lambda db: space.patience(db, BUSY))

    async def _space(self) -> space.Space:
        return await self.writer.run(lambda db: space.space(db, self.path))

    async def _idle(self) -> bool:
        last = await self.writer.run(space.last_event)
        return last is None or last < iso(self.now() - timedelta(seconds=_IDLE))
