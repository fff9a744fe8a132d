"""The home of whether what the daemon stands on is its own still; looked at once a second.

A socket whose name was deleted is put up anew, and so is the file of the lock. Where the daemon can
only be right by starting again, it ends: the next hook, or the service, starts another.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from socket import socket

import hookd
from hookd.daemon.instance_lock import InstanceLock
from hookd.daemon.socket_file import SocketFile, TakenError, identity
from hookd.log.logger import LOG
from hookd.paths import Paths
from hookd.store import recovery
from hookd.store.health import StoreHealth

_LOOK = 1.0
"""Seconds between two looks."""

_READ_AGAIN = 60.0
"""Seconds between two readings of a whole database that an error has made suspect."""

_SETTLED = 3.0
"""Seconds that an upgrade must be over, as far as its files tell, before another daemon is due."""

_PROGRAM = Path(hookd.__file__)


@dataclass
class SelfCheck:
    """Looks after the daemon's places.

    After its end `damaged` says whether the database has to be kept aside.
    """

    places: Paths
    locks: InstanceLock
    door: SocketFile
    health: StoreHealth
    stopping: asyncio.Event
    damaged: bool = False
    _database: tuple[int, int] | None = None
    _program: tuple[int, int] | None = None
    _changed: float | None = None
    _due: float = 0.0
    _told: str = field(default="")

    async def run(self, listen: Callable[[socket], Awaitable[None]]) -> None:
        """Look, until cancelled or until the daemon has to end.

        `listen` takes another listening socket.
        """
        self._database, self._program = identity(self.places.database), _stamp(_PROGRAM)
        while not self.stopping.is_set():
            await asyncio.sleep(_LOOK)
            if self.stopping.is_set():
                return  # the name is taken down by now, and stays down
            if why := await self._fatal_reason():
                LOG.warning(
                    "the daemon ends, for the next one to start", extra={"about": {"why": why}}
                )
                self.stopping.set()
            if self.stopping.is_set():  # also since the look began, which may take long
                return
            try:
                await self._repair(listen)
            except (OSError, TakenError) as error:
                self._tell(str(error))

    async def _repair(self, listen: Callable[[socket], Awaitable[None]]) -> None:
        if self.locks.recreate():
            LOG.warning("the lock's file was deleted; it is made again")
        if not self.door.is_ours():
            await listen(self.door.bind())
            LOG.warning("the socket's name was gone; it is put up again")
            self._told = ""

    async def _fatal_reason(self) -> str:
        """Return why the daemon has to end, or nothing."""
        if not self.locks.is_current():
            return "its folder was deleted, or another stands in its place"
        found = identity(self.places.database)
        self._database = self._database or found  # on a disk that was full there was none at first
        if found != self._database:
            return "its database was deleted, or another stands in its place"
        if self._upgraded():
            return "another hookd is installed in its place"
        return await self._damage()

    async def _damage(self) -> str:
        """Return what is to be said of a database at which an error was met."""
        now = time.monotonic()
        if not self.health.suspect or now < self._due:
            return ""
        self._due = now + _READ_AGAIN
        self.health.suspect = False
        self.damaged = not await asyncio.to_thread(recovery.sound, self.places.database)
        return "its database is damaged" if self.damaged else ""

    def _upgraded(self) -> bool:
        """Whether the program is another by now, and has been for some seconds."""
        found = _stamp(_PROGRAM)
        if found is None or found == self._program:
            self._changed = None  # what is gone has no successor: this one serves on
            return False
        self._changed = self._changed or time.monotonic()
        return time.monotonic() - self._changed > _SETTLED

    def _tell(self, why: str) -> None:
        """Tell the log, each thing once."""
        if why != self._told:
            LOG.error("the socket cannot be put up again", extra={"about": {"why": why}})
            self._told = why


def _stamp(path: Path) -> tuple[int, int] | None:
    """Return what changes where a file is written anew, None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns  # not the inode: some file systems make them up
