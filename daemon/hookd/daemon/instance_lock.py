"""The home of there being one daemon for one home.

Two locks of the file system say so, and no process id: one on the state's folder, which nobody
deletes by mistake, and one on a file in it, which is there to be looked at and can be made again.
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
"""Errors of a disk on which no file can be made: the folder's lock is enough then."""


_KNOCK = b'{"jsonrpc":"2.0","id":1,"method":"daemon.status"}\n'
_ANSWER = 1.0
"""Seconds within which a daemon answers unless it hangs."""


class AlreadyRunningError(Exception):
    """Another daemon holds the lock; `here`: it serves on this socket."""

    def __init__(self, *, here: bool) -> None:
        super().__init__("another daemon is running")
        self.here = here


class InstanceLock:
    """The locks, as long as this process holds them."""

    def __init__(self, places: Paths) -> None:
        self._places = places
        self._folder: int = os.open(places.state, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        self._ours = identity(places.state)
        self._file: int | None = None

    def acquire(self) -> bool:
        """Take what is not held yet; return whether all of it is held now."""
        if not _locked(self._folder):
            return False
        if self._file is None:
            self._file = self._opened()
        return self._file is None or _locked(self._file)

    def is_current(self) -> bool:
        """Whether the state's folder is the one that was locked."""
        return identity(self._places.state) == self._ours

    def recreate(self) -> bool:
        """Make the file again where it was deleted; return whether that was so."""
        if self._file is None or _same(self._file, identity(self._places.lock)):
            return False
        os.close(self._file)
        self._file = None
        self.acquire()
        return True

    def close(self) -> None:
        """Let go of them."""
        for number in (self._file, self._folder):
            if number is not None:
                os.close(number)

    def _opened(self) -> int | None:
        try:
            return os.open(self._places.lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            if error.errno in _NO_FILE:
                return None
            raise


@contextmanager
def alone(places: Paths, patience: float) -> Iterator[InstanceLock]:
    """Hold the locks. Raise AlreadyRunningError if another daemon does.

    Wait up to `patience` seconds for a predecessor. One that ends has removed its socket. One that
    was killed leaves its socket, and its locks until the last of its threads has ended, which may
    take most of a second on a busy machine.
    """
    locks = InstanceLock(places)
    try:
        end = time.monotonic() + patience
        while not locks.acquire():
            here = _serves(places.socket)
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
            link.settimeout(_ANSWER)
            link.connect(str(path))
            link.sendall(_KNOCK)
            return bool(link.recv(1))
    except (TimeoutError, BlockingIOError):  # EAGAIN: its backlog is full
        return True
    except OSError:
        return False


def _same(number: int, other: tuple[int, int] | None) -> bool:
    found = os.fstat(number)
    return (found.st_dev, found.st_ino) == other
