"""Both ends of a Unix socket: whose file it is, which user and process opened a connection."""

import os
import socket
import stat
import struct
import sys
from pathlib import Path

_LINUX = sys.platform == "linux"
_ROOT = 0

# From <sys/un.h> and <sys/ucred.h> of macOS and the BSDs, which Python does not name everywhere.
_SOL_LOCAL = 0
_LOCAL_PEERCRED = 1
_LOCAL_PEERPID = 2
_XUCRED = struct.Struct("@IIh16I")  # version, user, number of groups, groups
_UCRED = struct.Struct("@iII")  # Linux: process, user, group


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
            said = link.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _UCRED.size)
            return int(_UCRED.unpack(said)[1])
        return parse_xucred(link.getsockopt(_SOL_LOCAL, _LOCAL_PEERCRED, _XUCRED.size))
    except OSError:
        return None


def pid_of(link: socket.socket) -> int | None:
    """Return the process that opened the other end; None if the kernel does not say.

    It may have ended since, and a child of its may use the connection.
    """
    try:
        if _LINUX:
            said = link.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _UCRED.size)
            return int(_UCRED.unpack(said)[0]) or None
        return link.getsockopt(_SOL_LOCAL, _LOCAL_PEERPID) or None
    except OSError:
        return None


def parse_xucred(said: bytes) -> int | None:
    """Return the user of macOS's and the BSDs' struct xucred; None where it is another form."""
    if len(said) < _XUCRED.size:
        return None
    version, uid, *_ = _XUCRED.unpack(said[: _XUCRED.size])
    return int(uid) if version == 0 else None
