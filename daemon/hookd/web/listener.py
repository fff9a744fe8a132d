"""The server's socket: a port of 127.0.0.1, or a Unix socket in a private folder. Nothing else."""

import errno
import os
import socket
import stat
from pathlib import Path

from hookd.paths import SOCKET_LIMIT
from hookd.system import private_dirs

LOOPBACK = "127.0.0.1"


class ListenError(Exception):
    """The server cannot listen; the text says why, `step` what to do."""

    def __init__(self, sentence: str, step: str) -> None:
        super().__init__(sentence)
        self.step = step


def on_port(port: int) -> socket.socket:
    """Return a socket that is bound to a port of this machine alone; 0: one of the kernel's choice.

    Raise ListenError.
    """
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((LOOPBACK, port))
    except OSError as error:
        made.close()
        reason = (
            "is in use" if error.errno == errno.EADDRINUSE else f"is not free: {error.strerror}"
        )
        raise ListenError(f"Port {port} {reason}.", "choose another --port, or none") from None
    return made


def on_path(path: Path) -> socket.socket:
    """Return a socket that is bound to a path, 0600, in a folder of the user alone.

    A socket without a listener is replaced. Raise ListenError.
    """
    if len(os.fsencode(path)) > SOCKET_LIMIT:
        raise ListenError(f"{path} is too long for a socket.", "choose a shorter path")
    try:
        _expect_private(path.parent)
        _expect_free(path)
        made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        made.bind(str(path))
        path.chmod(0o600)
    except OSError as error:
        sentence = f"{error.filename or path}: {error.strerror or error}."
        raise ListenError(sentence, "choose a path in a folder of your own") from None
    return made


def _expect_private(folder: Path) -> None:
    """Make a folder for the user alone. Raise ListenError if it exists and is open to others."""
    if not folder.exists():
        private_dirs.make(folder)
    found = folder.stat()
    if found.st_uid != os.geteuid() or stat.S_IMODE(found.st_mode) & 0o077:
        step = f"mkdir -m 700 {folder}/hookd, and give a path in it"
        raise ListenError(f"{folder} is open to others: a socket there is not private.", step)


def _expect_free(path: Path) -> None:
    """Remove a socket without a listener. Raise ListenError if something else is there."""
    if not os.path.lexists(path):
        return
    if not stat.S_ISSOCK(path.lstat().st_mode):
        raise ListenError(f"{path} exists and is no socket.", "choose another path")
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:
            path.unlink()
            return
    raise ListenError(f"Another process listens on {path}.", "end it, or choose another path")
