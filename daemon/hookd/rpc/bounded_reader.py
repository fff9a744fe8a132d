"""Bounded reading from connections: bytes held in all, time without progress, message length.

A client that announces a payload and never sends it, or stops in its middle, is given up after some
seconds; where many messages are under way at once, the ones without progress are given up first.
All connections share a limit: one with a large message waits while others use the room.
Messages of usual size never wait.
"""

import asyncio
from collections.abc import Callable
from dataclasses import field

from hookd.events.protocol import MAX_MESSAGE_BYTES
from hookd.lazy_dataclass import dataclass

# asyncio's own limit of 64 KiB would let padding bypass guards: MAX_MESSAGE_BYTES is 16 MiB.
_MAX_TOTAL_BYTES = 64 * 1024 * 1024
"""Limit of all connections together, from the first byte of a message to its answer."""

_USUAL_BYTES = 256 * 1024
"""Size of a message from which it may have to wait for room."""

_CHUNK_BYTES = 256 * 1024
_SMALL_PART_BYTES = 4_096
"""Size of a part up to which the next part is appended to it: each object takes 41 bytes more."""

_STALL_TIMEOUT_S = 5.0
"""Time without a byte after which a message is given up."""

_CROWDED_STALL_TIMEOUT_S = 0.5
"""The same if there is no room for others: bytes, or connections."""

_ROOM_TIMEOUT_S = 10.0
"""How long a large message may wait for room."""

_MESSAGE_TIMEOUT_S = 30.0
"""How long a message may take in all, however it trickles in."""

_CHECK_INTERVAL_S = 0.25


class TooLongError(Exception):
    """A message is longer than MAX_MESSAGE_BYTES; it has been read to its end and thrown away."""


class StalledError(Exception):
    """The rest of a message did not arrive in time; the text says how long was waited."""


@dataclass(eq=False)
class Inbox:
    """What one connection sends, message by message."""

    reader: asyncio.StreamReader
    intake: "Intake"
    held: int = 0
    _searched: list[bytes] = field(default_factory=list)
    _searched_size: int = 0
    _rest: bytes = b""

    @property
    def pending(self) -> bool:
        """Whether bytes behind the last message have been read."""
        return bool(self._rest)

    async def until(self, end: bytes, *, begun: bool = False) -> bytes:
        """Return the bytes before `end`, one byte. What the last message took is released.

        `begun`: the message is announced, so it has to arrive in time from now on; else its first
        byte may take any time. Raise TooLongError, StalledError or IncompleteReadError.
        """
        self._hold()
        try:
            return await self._until(end, begun=begun)
        finally:
            self.intake.rests(self)

    async def _until(self, end: bytes, *, begun: bool) -> bytes:
        skipping = False
        while True:
            at = self._rest.find(end)
            if at >= 0:
                size = self._searched_size + at
                # Joined once: the parts of a large message are not copied as it grows.
                message = b"".join([*self._searched, memoryview(self._rest)[:at]])
                self._forget(self._rest[at + 1 :])
                if skipping or size > MAX_MESSAGE_BYTES:
                    raise TooLongError
                self._hold(size)
                return message
            if self._rest:
                self._keep(self._rest)
                self._searched_size += len(self._rest)
                self._rest = b""
            if self._searched_size > MAX_MESSAGE_BYTES:
                skipping = True
                self._forget()
            await self._more(begun=begun or skipping)

    def _keep(self, part: bytes) -> None:
        """Keep a part that was searched; small parts are joined."""
        parts = self._searched
        if parts and len(parts[-1]) < _SMALL_PART_BYTES:
            parts[-1] += part
        else:
            parts.append(part)

    async def _more(self, *, begun: bool) -> None:
        if begun or self._searched:
            self.intake.moves(self)
        if self._searched_size > _USUAL_BYTES:
            await self.intake.room_for(self)
        self._rest = await self.reader.read(_CHUNK_BYTES)
        if not self._rest:
            # Removed: the next read must return the end, not this once more.
            partial = b"".join(self._searched)
            self._forget()
            raise asyncio.IncompleteReadError(partial, None)
        self._hold()

    def _forget(self, rest: bytes = b"") -> None:
        """Keep nothing but what follows the message."""
        self._searched, self._searched_size, self._rest = [], 0, rest

    def close(self) -> None:
        """Release what is held."""
        self._forget()
        self._hold()
        self.intake.rests(self)

    def give_up(self, why: str) -> None:
        """Let whoever reads here get a StalledError."""
        self.reader.set_exception(StalledError(why))

    def _hold(self, message: int = 0) -> None:
        now = self._searched_size + len(self._rest) + message
        self.intake.changed(now - self.held)
        self.held = now


class Intake:
    """All inboxes together. `limited` is called with the name of a limit that is reached, and how.

    `crowded` is set while connections wait to be accepted.
    """

    def __init__(self, limited: Callable[[str, str], None]) -> None:
        self.crowded = False
        self._limited = limited
        self._total = 0
        self._moving: dict[Inbox, float] = {}
        self._began: dict[Inbox, float] = {}
        self._large: dict[Inbox, None] = {}
        self._waiting = 0
        self._released = asyncio.Event()

    def changed(self, count: int) -> None:
        """Count bytes that are held, or released."""
        self._total += count
        if count < 0:
            self._released.set()

    def moves(self, inbox: Inbox) -> None:
        """Note progress of a message."""
        now = asyncio.get_running_loop().time()
        self._moving.pop(inbox, None)
        self._moving[inbox] = now  # so the one without progress for longest comes first
        self._began.setdefault(inbox, now)

    def rests(self, inbox: Inbox) -> None:
        """Note that no message is under way."""
        self._moving.pop(inbox, None)
        self._began.pop(inbox, None)
        if inbox in self._large:
            del self._large[inbox]
            self._released.set()

    async def room_for(self, inbox: Inbox) -> None:
        """Wait until a large message may continue. Raise StalledError where that takes too long."""
        self._large.setdefault(inbox)
        if self._fits(inbox):
            return
        if not self._waiting:
            self._limited(
                "bytes held", f"{_MAX_TOTAL_BYTES >> 20} MiB of messages are under way; more wait"
            )
        self._moving.pop(inbox, None)  # others hold it up
        self._waiting += 1
        try:
            async with asyncio.timeout(_ROOM_TIMEOUT_S):
                while not self._fits(inbox):
                    self._released.clear()
                    await self._released.wait()
        except TimeoutError:
            raise StalledError(f"there was no room for it within {_ROOM_TIMEOUT_S:g} s") from None
        finally:
            self._waiting -= 1
        self.moves(inbox)

    def _fits(self, inbox: Inbox) -> bool:
        """Whether there is room; the oldest large message may exceed it, so that one can end."""
        oldest = next(iter(self._large)) is inbox
        return self._total <= _MAX_TOTAL_BYTES + (MAX_MESSAGE_BYTES if oldest else 0)

    async def run(self) -> None:
        """Give up messages that do not arrive, until cancelled."""
        clock = asyncio.get_running_loop().time
        while True:
            await asyncio.sleep(_CHECK_INTERVAL_S)
            now, patience = (
                clock(),
                _CROWDED_STALL_TIMEOUT_S if self.crowded or self._waiting else _STALL_TIMEOUT_S,
            )
            for inbox, moved in tuple(self._moving.items()):
                if now - moved >= patience:
                    self._give_up(inbox, f"no byte of it came for {patience:g} s")
                elif now - self._began[inbox] >= _MESSAGE_TIMEOUT_S:
                    self._give_up(inbox, f"it was not complete within {_MESSAGE_TIMEOUT_S:g} s")

    def _give_up(self, inbox: Inbox, why: str) -> None:
        self.rests(inbox)
        inbox.give_up(why)
        self._limited("message arrival", why)
