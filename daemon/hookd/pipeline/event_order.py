"""Event order: the events of one session are decided in the order in which they arrived.

The client waits for each hook, so its events arrive in order. They pile up while the daemon is
stopped (SIGSTOP, a laptop that sleeps): the shims give up, the client continues, and the daemon
then finds all events at once. An event that has to read a file first must not be overtaken by the
next: a prompt would be decided before the start of its session.
"""

import asyncio
from contextlib import suppress

from hookd.lazy_pattern import lazy_compile

_SESSION = lazy_compile(rb'"session_?[iI][dD]"\s*:\s*"([^"\\]{1,200})"')
_SEARCHED_BYTES = 4_096
"""Beginning of a payload in which its session is searched; the client names it first."""

_WAIT_TIMEOUT_S = 0.5
"""How long an event waits for the one before: a slow disk must not delay a verdict."""


class EarlyError(Exception):
    """The event before has not been decided yet."""


class Turn:
    """The place of one event among those of its session."""

    def __init__(self, turns: "Turns", session: bytes, before: "Turn | None") -> None:
        """Take the place behind `before`."""
        self._turns = turns
        self._session = session
        self._before = before
        self._ended = asyncio.Event()
        self._decided = False

    def check(self) -> None:
        """Raise EarlyError if the event before has not been decided. For any thread."""
        before = self._before
        if before is not None and not before._decided:
            raise EarlyError

    def decide(self) -> None:
        """Let the next event be decided. For any thread."""
        self._decided = True

    async def wait(self) -> None:
        """Wait until the event before is over, half a second at most; then `check` passes."""
        if self._before is not None:
            with suppress(TimeoutError):
                async with asyncio.timeout(_WAIT_TIMEOUT_S):
                    await self._before._ended.wait()
        self._before = None

    def end(self) -> None:
        """Leave: the event is over, or another one answers for it."""
        self._decided, self._before = True, None
        self._ended.set()
        self._turns.leave(self._session, self)


class Turns:
    """The events under way, by session."""

    def __init__(self) -> None:
        """Start with none."""
        self._last: dict[bytes, Turn] = {}

    def take(self, body: bytes) -> Turn:
        """Take a place for the event with this payload, behind those that arrived before it."""
        match = _SESSION.search(body[:_SEARCHED_BYTES])
        session = match[1] if match else b""
        turn = Turn(self, session, self._last.get(session) if session else None)
        if session:
            self._last[session] = turn
        return turn

    def leave(self, session: bytes, turn: Turn) -> None:
        """Forget the last event of a session once it is over."""
        if self._last.get(session) is turn:
            del self._last[session]
