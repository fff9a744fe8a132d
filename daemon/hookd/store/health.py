"""Store health: whether the database can be written, and a writer that survives that it cannot."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from sqlite3 import Connection, OperationalError
from typing import TypeVar

from hookd.log.logger import LOG
from hookd.store import recovery
from hookd.store.database import DatabaseError, StoreError, WriterThread, open_database

T = TypeVar("T")

_RETRY_INTERVAL_S = 1.0
"""Between two tries to open the database."""


class StoreHealth:
    """The error that prevents writing, and since when. `suspect`: the database may be damaged."""

    def __init__(self, now: Callable[[], str], fault: str = "") -> None:
        self._now = now
        self._fault = fault
        self._since = now() if fault else ""
        self.suspect = False

    def describe(self) -> str:
        """Return the error in a sentence; "" if the database can be written."""
        if not self._fault:
            return ""
        return f"nothing is stored since {self._since}: {self._fault}"

    def record_error(self, error: StoreError) -> None:
        """Record that a write failed."""
        if recovery.damaged(error):
            self.suspect = True
        elif not recovery.unwritable(error):
            return
        if not self._fault:
            self._fault, self._since = str(error), self._now()
            LOG.error("nothing is stored; events are evaluated all the same: %s", error)

    def record_success(self) -> None:
        """Record that a write succeeded."""
        if self._fault:
            LOG.warning(
                "the database can be written again", extra={"about": {"since": self._since}}
            )
            self._fault = ""


class ResilientWriter:
    """A writer that records its errors, and that works before its database can be opened.

    Without a `connection` each work is refused until `path` can be opened for writing.
    """

    def __init__(
        self, connection: Connection | None, path: Path, health: StoreHealth, *, thread: bool = True
    ) -> None:
        self._writer = WriterThread(connection, thread=thread)
        self._path = path
        self._health = health
        self._open = connection is not None
        self._opening = asyncio.Lock()
        self._last_try = -_RETRY_INTERVAL_S

    async def run(self, work: Callable[[Connection], T]) -> T:
        """Run `work` as `WriterThread.run` does, and record whether what it wrote is stored."""

        def counted(db: Connection) -> tuple[T, bool]:
            before = db.total_changes
            return work(db), db.total_changes != before

        if not (self._open or await self._opens()):
            raise OperationalError(self._health.describe())
        try:
            value, wrote = await self._writer.run(counted)
        except StoreError as error:
            self._health.record_error(error)
            raise
        if wrote:
            self._health.record_success()
        return value

    async def aside(self, work: Callable[[], T]) -> T:
        """Run `work` on the writer's thread, outside of any transaction."""
        return await self._writer.aside(work)

    async def alone(self, work: Callable[[Connection], T]) -> T:
        """Run `work` on the connection, outside of a transaction, in its turn."""
        return await self._writer.alone(work)

    async def alive(self) -> None:
        """Return once the thread has answered. If nothing could be stored, try to write again."""
        if self._health.describe():
            with suppress(StoreError):
                await self.run(_try)
        await self._writer.beat()

    @property
    def waiting(self) -> int:
        """How many works wait for the connection."""
        return self._writer.waiting

    def serve(self) -> None:
        """Work on this thread until closed."""
        self._writer.serve()

    def close(self) -> None:
        """Finish all queued work, and close the connection; a damaged file is closed as well."""
        with suppress(StoreError):
            self._writer.close()

    async def _opens(self) -> bool:
        """Return whether the database is open; try at most once a second."""
        async with self._opening:
            clock = asyncio.get_running_loop().time
            if self._open or clock() - self._last_try < _RETRY_INTERVAL_S:
                return self._open
            try:
                connection = await asyncio.to_thread(open_database, self._path)
            except DatabaseError:
                self._last_try = clock()
                return False
            self._writer.connect(connection)
            self._open = True
            self._health.record_success()
            return True


def _try(db: Connection) -> None:
    db.execute("INSERT OR REPLACE INTO meta VALUES ('tried', strftime('%Y-%m-%dT%H:%M:%fZ'))")
