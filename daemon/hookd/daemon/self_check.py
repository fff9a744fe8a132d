"""Self-check: once a second, whether socket, lock, folder, database and program are still its own.

A socket or lock file that was deleted is created again. If only a restart can help, the daemon
ends: the next hook, or the service, starts another.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import field
from pathlib import Path
from socket import socket

import hookd
from hookd.daemon.instance_lock import InstanceLock
from hookd.daemon.socket_file import SocketFile, TakenError, identity
from hookd.lazy_dataclass import dataclass
from hookd.log.logger import LOG
from hookd.paths import Paths
from hookd.store import recovery
from hookd.store.health import StoreHealth

_CHECK_INTERVAL_S = 1.0

_INTEGRITY_CHECK_INTERVAL_S = 60.0
"""Time between two integrity checks of a database that an error has made suspect."""

_UPGRADE_SETTLE_S = 3.0
"""How long the program's files must not have changed before the daemon restarts for an upgrade."""

_PROGRAM = Path(hookd.__file__)


@dataclass
class SelfCheck:
    """Checks the files that the daemon depends on, and creates again what it can.

    After its end `damaged` says whether the database has to be moved aside.
    """

    paths: Paths
    locks: InstanceLock
    socket_file: SocketFile
    health: StoreHealth
    stopping: asyncio.Event
    damaged: bool = False
    _database: tuple[int, int] | None = None
    _program: tuple[int, int] | None = None
    _changed: float | None = None
    _due: float = 0.0
    _logged: str = field(default="")

    async def run(self, listen: Callable[[socket], Awaitable[None]]) -> None:
        """Check, until cancelled or until the daemon has to end.

        `listen` makes the server use another listening socket.
        """
        self._database, self._program = identity(self.paths.database), _stamp(_PROGRAM)
        while not self.stopping.is_set():
            await asyncio.sleep(_CHECK_INTERVAL_S)
            if self.stopping.is_set():
                return  # the socket file is removed by now
            if why := await self._fatal_reason():
                LOG.warning("daemon ends, so that another starts", extra={"about": {"why": why}})
                self.stopping.set()
            if self.stopping.is_set():  # also during the check, which may take long
                return
            try:
                await self._repair(listen)
            except (OSError, TakenError) as error:
                self._log_once(str(error))

    async def _repair(self, listen: Callable[[socket], Awaitable[None]]) -> None:
        if self.locks.recreate():
            LOG.warning("lock file was deleted; created again")
        if not self.socket_file.is_ours():
            await listen(self.socket_file.bind())
            LOG.warning("socket file was deleted; created again")
            self._logged = ""

    async def _fatal_reason(self) -> str:
        """Return why the daemon has to end, "" if it has not."""
        if not self.locks.is_current():
            return "its folder was deleted or replaced"
        found = identity(self.paths.database)
        self._database = self._database or found  # on a disk that was full there was none at first
        if found != self._database:
            return "its database was deleted or replaced"
        if self._upgraded():
            return "another hookd is installed in its place"
        return await self._damage()

    async def _damage(self) -> str:
        """Return that the database is damaged, "" if not; checked only after an error."""
        now = time.monotonic()
        if not self.health.suspect or now < self._due:
            return ""
        self._due = now + _INTEGRITY_CHECK_INTERVAL_S
        self.health.suspect = False
        self.damaged = not await asyncio.to_thread(recovery.sound, self.paths.database)
        return "its database is damaged" if self.damaged else ""

    def _upgraded(self) -> bool:
        """Return whether another program is installed, and has been for some seconds."""
        found = _stamp(_PROGRAM)
        if found is None or found == self._program:
            self._changed = None  # it was uninstalled: no other program would start
            return False
        self._changed = self._changed or time.monotonic()
        return time.monotonic() - self._changed > _UPGRADE_SETTLE_S

    def _log_once(self, why: str) -> None:
        """Log a problem, each one once."""
        if why != self._logged:
            LOG.error("socket file cannot be created", extra={"about": {"why": why}})
            self._logged = why


def _stamp(path: Path) -> tuple[int, int] | None:
    """Return what changes when a file is rewritten, None if there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns  # inodes are not stable on all file systems
