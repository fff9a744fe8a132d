"""Peer credentials: which user and which process opened a connection, and whether a person asks."""

import os
import platform
import socket
import struct
from collections import OrderedDict
from collections.abc import Callable, Mapping
from itertools import islice
from typing import TypeVar

from hookd.core.model.client_process import firing
from hookd.core.model.origin import Origin
from hookd.log.logger import LOG
from hookd.system.ancestry import Caller, caller_of, lineage, origin_of

_K = TypeVar("_K")
_V = TypeVar("_V")

_LINUX = platform.system() == "Linux"
_ROOT = 0
_LOG_INTERVAL_S = 60.0
"""Time between two lines of the log: refused connections must not fill the disk."""

_MAX_ANCESTORS = 5
"""Processes above a hook's transport among which its client is."""

_LOOKUP_INTERVAL_S = 60.0
"""Time after which a client that fires hooks is looked up again: its id may be reused."""

_MAX_CLIENTS = 1000
"""Clients that are remembered."""

# From <sys/un.h> and <sys/ucred.h> of macOS and the BSDs, which Python does not name everywhere.
_SOL_LOCAL = 0
_LOCAL_PEERCRED = 1
_LOCAL_PEERPID = 2
_XUCRED = struct.Struct("@IIh16I")  # version, user, number of groups, groups
_UCRED = struct.Struct("@iII")  # Linux: process, user, group


def admitted(uid: int | None, own: int) -> bool:
    """Return whether a user may connect to a daemon of the user `own`; None: unknown user.

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


class PeerGate:
    """Admits connections of permitted users, and logs the others; `clock` counts seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._told: float | None = None
        self._refused = 0

    def admits(self, link: socket.socket) -> bool:
        """Return whether a connection is admitted."""
        uid = uid_of(link)
        if admitted(uid, os.geteuid()):
            return True
        self.log_refusal(uid)
        return False

    def log_refusal(self, uid: int | None) -> None:
        """Count a refused connection; log it, but at most once a minute."""
        self._refused += 1
        now = self._clock()
        if self._told is None or now - self._told >= _LOG_INTERVAL_S:
            about = {"user": uid, "since the last line": self._refused}
            LOG.warning("connection of another user refused", extra={"about": about})
            self._told, self._refused = now, 0


class Callers:
    """Tells a person from a client that asks; `clock` counts seconds.

    It remembers the processes that fired hooks, so that a client with an unknown name is known.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._fired: OrderedDict[tuple[int, int], None] = OrderedDict()
        self._looked: OrderedDict[str, float] = OrderedDict()

    def learn(self, pid: int | None, env: Mapping[str, object]) -> None:
        """Remember the client that sent a hook event by the process `pid`.

        `env` are the event's variables. A client that names itself is looked up once a minute.
        """
        named = env.get("CLAUDE_PID") or env.get("CLAUDE_CODE_SESSION_ID")
        if isinstance(named, str) and self._lately(named):
            return
        client = firing(tuple(islice(lineage(pid), _MAX_ANCESTORS))) if pid else None
        if client is not None:
            _put(self._fired, client.key, None)

    def caller(self, pid: int | None) -> Caller:
        """Return who is behind a process."""
        return caller_of(pid, self._fired)

    def origin(self, pid: int) -> Origin:
        """Return the terminal and the client process that a process belongs to."""
        return origin_of(pid, self._fired)

    def _lately(self, named: str) -> bool:
        """Return whether a client was looked up less than a minute ago; if not, it is now."""
        now = self._clock()
        if now - self._looked.get(named, -_LOOKUP_INTERVAL_S) < _LOOKUP_INTERVAL_S:
            return True
        _put(self._looked, named, now)
        return False


def _put(kept: OrderedDict[_K, _V], key: _K, value: _V) -> None:
    """Keep a value as the newest one, and at most so many."""
    kept[key] = value
    kept.move_to_end(key)
    if len(kept) > _MAX_CLIENTS:
        kept.popitem(last=False)
