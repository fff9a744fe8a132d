"""The home of whether what is decided can be kept: known by each try, told by `hookd status`."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from sqlite3 import Connection, OperationalError
from typing import TypeVar

from hookd.log.logger import LOG
from hookd.store import recovery
from hookd.store.database import DatabaseError, StoreError, Writer, open_database

T = TypeVar("T")

_AGAIN = 1.0
"""Seconds between two tries to open the database."""


class StoreHealth:
    """Why nothing is kept, and since when; `now` is the clock. `suspect`: it may be damaged."""

    def __init__(self, now: Callable[[], str], fault: str = "") -> None:
        self._now = now
        self._fault = fault
        self._since = now() if fault else ""
        self.suspect = False

    def describe(self) -> str:
        """Return what is wrong, in a sentence; nothing where all is kept."""
        if not self._fault:
            return ""
        return f"nothing is kept since {self._since}: {self._fault}"

    def record_error(self, error: StoreError) -> None:
        """Note that something could not be written."""
        if recovery.damaged(error):
            self.suspect = True
        elif not recovery.unwritable(error):
            return
        if not self._fault:
            self._fault, self._since = str(error), self._now()
            LOG.error("nothing is kept; events are judged all the same: %s", error)

    def record_success(self) -> None:
        """Note that something was written."""
        if self._fault:
            LOG.warning("it is kept again", extra={"about": {"since": self._since}})
            self._fault = ""


class ResilientWriter(Writer):
    """A writer that notes how it goes, and that is there before its database can be opened.

    Without a `connection` each work is refused until `path` can be opened for writing.
    """

    def __init__(
        self, connection: Connection | None, path: Path, health: StoreHealth, *, thread: bool = True
    ) -> None:
        super().__init__(connection, thread=thread)
        self._path = path
        self._health = health
        self._open = connection is not None
        self._opening = asyncio.Lock()
        self._refused = -_AGAIN

    async def run(self, work: Callable[[Connection], T]) -> T:
        """Run `work` as a writer does, and note whether what it wrote is kept."""

        def counted(db: Connection) -> tuple[T, bool]:
            before = db.total_changes
            return work(db), db.total_changes != before

        if not (self._open or await self._opens()):
            raise OperationalError(self._health.describe())
        try:
            value, wrote = await super().run(counted)
        except StoreError as error:
            self._health.record_error(error)
            raise
        if wrote:
            self._health.record_success()
        return value

    async def alive(self) -> None:
        """Return once the thread has come to it. Where nothing could be kept, it is tried again."""
        if self._health.describe():
            with suppress(StoreError):
                await self.run(_try)
        await self.beat()

    def close(self) -> None:
        """Finish what was handed in, and close; a damaged file is closed as well."""
        with suppress(StoreError):
            super().close()

    async def _opens(self) -> bool:
        """Whether the database could be opened by now; tried once a second at most."""
        async with self._opening:
            clock = asyncio.get_running_loop().time
            if self._open or clock() - self._refused < _AGAIN:
                return self._open
            try:
                connection = await asyncio.to_thread(open_database, self._path)
            except DatabaseError:
                self._refused = clock()
                return False
            self._connection = connection
            self._open = True
            self._health.record_success()
            return True


def _try(db: Connection) -> None:
    db.execute("INSERT OR REPLACE INTO meta VALUES ('tried', strftime('%Y-%m-%dT%H:%M:%fZ'))")
