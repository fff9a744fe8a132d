"""Single-instance lock: at most one daemon per state directory.

Two file locks decide, not a process id: one on the state directory, which is rarely deleted by
mistake, and one on a file in it, which is visible and can be created again.
"""

import errno
import fcntl
import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hookd.daemon.socket_file import identity
from hookd.paths import Paths

_NO_FILE = frozenset({errno.EROFS, errno.ENOSPC, errno.EDQUOT})
"""Errors of a disk on which no file can be created: the directory's lock is enough then."""


_PROBE = b'{"jsonrpc":"2.0","id":1,"method":"daemon.status"}\n'
_PROBE_TIMEOUT_S = 1.0
"""Time within which a daemon answers unless it hangs."""


class AlreadyRunningError(Exception):
    """Another daemon holds the lock; `here`: it serves on this socket."""

    def __init__(self, *, here: bool) -> None:
        super().__init__("another daemon is running")
        self.here = here


class InstanceLock:
    """The locks, as long as this process holds them."""

    def __init__(self, paths: Paths) -> None:
        self._paths = paths
        self._folder: int = os.open(paths.state, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        self._ours = identity(paths.state)
        self._file: int | None = None

    def acquire(self) -> bool:
        """Take the locks that are not held yet; return whether both are held now."""
        if not _locked(self._folder):
            return False
        if self._file is None:
            self._file = self._opened()
        return self._file is None or _locked(self._file)

    def is_current(self) -> bool:
        """Return whether the state directory is still the locked one."""
        return identity(self._paths.state) == self._ours

    def recreate(self) -> bool:
        """Create the lock file again if it was deleted; return whether it was."""
        if self._file is None or _same(self._file, identity(self._paths.lock)):
            return False
        os.close(self._file)
        self._file = None
        self.acquire()
        return True

    def close(self) -> None:
        """Release the locks."""
        for number in (self._file, self._folder):
            if number is not None:
                os.close(number)

    def _opened(self) -> int | None:
        try:
            return os.open(self._paths.lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            if error.errno in _NO_FILE:
                return None
            raise


@contextmanager
def alone(paths: Paths, timeout_s: float) -> Iterator[InstanceLock]:
    """Hold the locks. Raise AlreadyRunningError if another daemon does.

    Wait up to `timeout_s` seconds for a predecessor. A daemon that ends has removed its socket. A
    killed one leaves its socket, and its locks until the last of its threads has ended, which may
    take most of a second on a busy machine.
    """
    locks = InstanceLock(paths)
    try:
        end = time.monotonic() + timeout_s
        while not locks.acquire():
            here = _serves(paths.socket)
            if here or time.monotonic() > end:
                raise AlreadyRunningError(here=here)
            time.sleep(0.02)
        yield locks
    finally:
        locks.close()


def _locked(number: int) -> bool:
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _serves(path: Path) -> bool:
    """Return whether a daemon answers on the socket, or hangs; not the existence of its file."""
    try:
        with socket.socket(socket.AF_UNIX) as link:
            link.settimeout(_PROBE_TIMEOUT_S)
            link.connect(str(path))
            link.sendall(_PROBE)
            return bool(link.recv(1))
    except (TimeoutError, BlockingIOError):  # EAGAIN: its backlog is full
        return True
    except OSError:
        return False


def _same(number: int, other: tuple[int, int] | None) -> bool:
    found = os.fstat(number)
    return (found.st_dev, found.st_ino) == other
