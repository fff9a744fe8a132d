"""Peer credentials: refuses connections of other users, distinguishes a person from a client."""

import os
import socket
from collections import OrderedDict
from collections.abc import Callable, Mapping
from datetime import datetime
from itertools import islice
from typing import TypeVar

from hookd.core.model.client_process import firing
from hookd.core.model.origin import Origin
from hookd.log.logger import LOG
from hookd.system.ancestry import Caller, caller_of, lineage, origin_of, parent_of
from hookd.system.prompt_author import why_not_typed
from hookd.system.socket_peer import admitted, uid_of

_K = TypeVar("_K")
_V = TypeVar("_V")

_LOG_INTERVAL_S = 60.0
"""Time between two lines of the log: refused connections must not fill the disk."""

_MAX_ANCESTORS = 5
"""Processes above a hook's transport among which its client is."""

_LOOKUP_INTERVAL_S = 60.0
"""Time after which a client that fires hooks is looked up again: its id may be reused."""

_MAX_CLIENTS = 1000
"""Clients that are remembered."""


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

    def learn(self, pid: int | None, env: Mapping[str, object], client: str = "") -> None:
        """Remember the client that sent a hook event by the process `pid`.

        `env` are the event's variables, `client` is the name that the shim sends, "" for Claude
        Code. A client that names itself is looked up once a minute; another one is known by the
        parent of the process, which is the client itself where the shim is compiled.
        """
        named = env.get("CLAUDE_PID") or env.get("CLAUDE_CODE_SESSION_ID")
        if client:  # it may run below a Claude Code, whose variables it inherits
            parent = parent_of(pid) if pid else 0
            named = f"{client} {parent}" if parent else None
        if isinstance(named, str) and self._lately(named):
            return
        found = firing(tuple(islice(lineage(pid), _MAX_ANCESTORS))) if pid else None
        if found is not None:
            _put(self._fired, found.key, None)

    def caller(self, pid: int | None) -> Caller:
        """Return who is behind a process."""
        return caller_of(pid, self._fired)

    def origin(self, pid: int) -> Origin:
        """Return the terminal and the client process that a process belongs to."""
        return origin_of(pid, self._fired)

    def why_not_typed(self, pid: int, now: datetime) -> str:
        """Return why it is not known that a person typed a hook event's prompt, "" if so."""
        return why_not_typed(pid, now, self._fired)

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
