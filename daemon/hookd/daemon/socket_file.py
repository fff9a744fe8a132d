"""The home of the socket's name: put up, looked after, taken down; and of the process id beside it.

It is put up only when somebody listens, and in the place of nothing but a dead socket of the user's
own: what else stands there is somebody's, and is left alone.
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
    """Something stands in the place of the socket that hookd has not put there."""

    def __init__(self, path: Path, what: str) -> None:
        super().__init__(f"{path} is no socket of hookd's: {what} stands there")
        self.step = f"ls -ld {path}; what is not hookd's has to go from there"


class SocketFile:
    """The name of the socket; who opens it holds the daemon's lock."""

    def __init__(self, places: Paths) -> None:
        self._socket = places.socket
        self._pid = places.pid
        self._ours: tuple[int, int] | None = None

    def bind(self) -> socket.socket:
        """Return a socket that listens under the name. Raise TakenError or OSError.

        It is bound under a name of its own and renamed: whoever sees it can connect. The process id
        is written after that, and is a hint: where the disk is full, there is none.
        """
        private_dirs.make(self._socket.parent)
        if taken := _stranger(self._socket):
            raise TakenError(self._socket, taken)
        listener = _bound(self._socket)
        self._ours = identity(self._socket)
        with suppress(OSError):
            self._pid.unlink(missing_ok=True)  # a number of another's would be believed
            _written(self._pid, f"{os.getpid()}\n")
        return listener

    def is_ours(self) -> bool:
        """Whether the name still leads to this daemon."""
        return self._ours is not None and identity(self._socket) == self._ours

    def unlink(self) -> None:
        """Take down the name and the process id, if they are still ours."""
        if self.is_ours():
            self._socket.unlink()
            self._pid.unlink(missing_ok=True)


def identity(path: Path) -> tuple[int, int] | None:
    """Return which file stands at a path, or None."""
    try:
        found = path.lstat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _written(path: Path, text: str) -> None:
    """Have a file hold this text, for its user alone; who reads it finds all of it, or the last."""
    fresh = path.with_name(f".{os.getpid()}")
    try:
        fresh.touch(0o600)
        fresh.write_text(text, "ascii")
        fresh.rename(path)
    except OSError:
        fresh.unlink(missing_ok=True)
        raise


def _stranger(path: Path) -> str:
    """Return what stands at a path that must not be replaced, or nothing."""
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
            pass  # so many wait there that no more may: somebody listens
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
