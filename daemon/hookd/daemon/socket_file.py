"""Socket file: creates, checks and removes the socket's path and the file with the process id.

The path appears once the socket listens, and replaces nothing but a dead socket of the same user.
"""

import os
import socket
import stat
from contextlib import suppress
from pathlib import Path

from hookd.paths import Paths
from hookd.system import private_dirs

BACKLOG = 1024


class TakenError(Exception):
    """The socket's path belongs to something that is not hookd's."""

    def __init__(self, path: Path, what: str) -> None:
        super().__init__(f"{path} is no socket of hookd's: it is {what}")
        self.step = f"ls -ld {path}; move what is not hookd's away"


class SocketFile:
    """The path of the socket; the process that binds it holds the daemon's lock."""

    def __init__(self, paths: Paths) -> None:
        self._socket = paths.socket
        self._pid = paths.pid
        self._ours: tuple[int, int] | None = None

    def bind(self) -> socket.socket:
        """Return a socket that listens on the path. Raise TakenError or OSError.

        It is bound to a temporary path and renamed: a client that sees it can connect. The process
        id is written after that, and is a hint: if the disk is full, there is none.
        """
        private_dirs.make(self._socket.parent)
        if taken := _foreign(self._socket):
            raise TakenError(self._socket, taken)
        listener = _bound(self._socket)
        self._ours = identity(self._socket)
        with suppress(OSError):
            self._pid.unlink(missing_ok=True)  # a foreign number would be believed
            _written(self._pid, f"{os.getpid()}\n")
        return listener

    def is_ours(self) -> bool:
        """Return whether the path still leads to this daemon."""
        return self._ours is not None and identity(self._socket) == self._ours

    def unlink(self) -> None:
        """Remove the socket and the process id, if they are still ours."""
        if self.is_ours():
            self._socket.unlink()
            self._pid.unlink(missing_ok=True)


def identity(path: Path) -> tuple[int, int] | None:
    """Return the device and inode of a path, None if there is nothing."""
    try:
        found = path.lstat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _written(path: Path, text: str) -> None:
    """Replace a file by this text, readable for its user alone, in one step."""
    fresh = path.with_name(f".{os.getpid()}")
    try:
        fresh.touch(0o600)
        fresh.write_text(text, "ascii")
        fresh.rename(path)
    except OSError:
        fresh.unlink(missing_ok=True)
        raise


def _foreign(path: Path) -> str:
    """Return what is at a path that must not be replaced, "" if nothing is."""
    try:
        found = path.lstat()
    except FileNotFoundError:
        return ""
    if not stat.S_ISSOCK(found.st_mode):
        return "something else"
    if found.st_uid != os.geteuid():
        return "another user's socket"
    with socket.socket(socket.AF_UNIX) as knock:
        knock.setblocking(False)
        try:
            knock.connect(str(path))
        except BlockingIOError:
            pass  # its backlog is full: a process listens
        except OSError:
            return ""
    return "a socket on which another program listens"


def _bound(path: Path) -> socket.socket:
    fresh = path.with_name(f".{os.getpid()}")  # not longer than the name itself: paths are limited
    fresh.unlink(missing_ok=True)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        listener.bind(str(fresh))
        fresh.chmod(0o600)
        listener.listen(BACKLOG)
        listener.setblocking(False)
        fresh.rename(path)
    except BaseException:
        listener.close()
        fresh.unlink(missing_ok=True)
        raise
    return listener
