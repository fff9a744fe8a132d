"""The home of who is at the other end of a connection, by what the kernel says of it."""

import os
import platform
import socket
import struct
from collections.abc import Callable

from hookd.journal import LOG

_LINUX = platform.system() == "Linux"
_ROOT = 0
_QUIET = 60.0
"""Seconds between two lines of the log: whoever is refused must not fill the disk."""

# From <sys/un.h> and <sys/ucred.h> of macOS and the BSDs, which Python does not name everywhere.
_SOL_LOCAL = 0
_LOCAL_PEERCRED = 1
_XUCRED = struct.Struct("@IIh16I")  # version, user, number of groups, groups
_UCRED = struct.Struct("@iII")  # Linux: process, user, group


def admitted(uid: int | None, own: int) -> bool:
    """Whether a user may speak to a daemon of the user `own`; None is one that is not known.

    The administrator may: root reads the database and the daemon's memory anyway.
    """
    return uid is not None and uid in (own, _ROOT)


def uid_of(link: socket.socket) -> int | None:
    """Return the user who opened the other end; None where the kernel does not tell."""
    try:
        if _LINUX:
            said = link.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _UCRED.size)
            return int(_UCRED.unpack(said)[1])
        return parse_xucred(link.getsockopt(_SOL_LOCAL, _LOCAL_PEERCRED, _XUCRED.size))
    except OSError:
        return None


def parse_xucred(said: bytes) -> int | None:
    """Return the user of macOS's and the BSDs' struct xucred; None where it is another form."""
    if len(said) < _XUCRED.size:
        return None
    version, uid, *_ = _XUCRED.unpack(said[: _XUCRED.size])
    return int(uid) if version == 0 else None


class Doorkeeper:
    """Lets in whoever is admitted, and tells the log of the others; `clock` counts seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._told: float | None = None
        self._refused = 0

    def admits(self, link: socket.socket) -> bool:
        """Whether the other end of a connection is to be heard."""
        uid = uid_of(link)
        if admitted(uid, os.geteuid()):
            return True
        self.refuse(uid)
        return False

    def refuse(self, uid: int | None) -> None:
        """Count one that is refused; the log is told at once, but at most once a minute."""
        self._refused += 1
        now = self._clock()
        if self._told is None or now - self._told >= _QUIET:
            about = {"user": uid, "since the last line": self._refused}
            LOG.warning("a connection of another user was refused", extra={"about": about})
            self._told, self._refused = now, 0
