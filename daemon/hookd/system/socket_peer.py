"""Both ends of a Unix socket: whose file it is, which user and process opened a connection."""

import os
import socket
import stat
import sys
from pathlib import Path

_LINUX = sys.platform == "linux"
_ROOT = 0

# From <sys/un.h> and <sys/ucred.h> of macOS and the BSDs, which Python does not name everywhere.
_SOL_LOCAL = 0
_LOCAL_PEERCRED = 1
_LOCAL_PEERPID = 2
_XUCRED_BYTES = 76
"""Size of struct xucred: version, user, number of groups, 16 groups."""

_UCRED_BYTES = 12
"""Size of Linux's struct ucred: process, user, group."""


def is_own_socket(path: Path) -> bool:
    """Return whether a path is a socket of this user. Raise OSError."""
    status = path.stat()
    return stat.S_ISSOCK(status.st_mode) and status.st_uid == os.getuid()


def admitted(uid: int | None, own: int) -> bool:
    """Return whether a user may be at the other end for the user `own`; None: unknown user.

    The administrator may: root reads the database and the daemon's memory anyway.
    """
    return uid is not None and uid in (own, _ROOT)


def uid_of(link: socket.socket) -> int | None:
    """Return the user who opened the other end; None where the kernel does not tell."""
    try:
        if _LINUX:
            return _number(link.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _UCRED_BYTES), 1)
        return parse_xucred(link.getsockopt(_SOL_LOCAL, _LOCAL_PEERCRED, _XUCRED_BYTES))
    except OSError:
        return None


def pid_of(link: socket.socket) -> int | None:
    """Return the process that opened the other end; None if the kernel does not say.

    It may have ended since, and a child of its may use the connection.
    """
    try:
        if _LINUX:
            said = link.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _UCRED_BYTES)
            return _number(said, 0) or None
        return link.getsockopt(_SOL_LOCAL, _LOCAL_PEERPID) or None
    except OSError:
        return None


def parse_xucred(said: bytes) -> int | None:
    """Return the user of macOS's and the BSDs' struct xucred; None where it is another form."""
    if len(said) < _XUCRED_BYTES or _number(said, 0) != 0:
        return None
    return _number(said, 1)


def _number(said: bytes, place: int) -> int:
    """Return a number of 32 bits; `struct` would make each command start later."""
    return int.from_bytes(said[4 * place : 4 * place + 4], sys.byteorder)
