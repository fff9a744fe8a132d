"""One connection of a client to the daemon, asynchronous: lines out, messages in."""

import asyncio
import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from hookd.paths import Paths
from hookd.socket_client.errors import ConnectionEndedError, State, no_daemon, state_of
from hookd.socket_client.messages import LIMIT, Message, read_message, request, too_long
from hookd.system.socket_peer import admitted, is_own_socket, uid_of

_SILENCE_S = 3.0
"""Time without an answer after which another connection asks whether the daemon is alive."""


class Link:
    """A connection; `message` returns what arrives, in order."""

    def __init__(
        self, places: Paths, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._places = places
        self._reader = reader
        self._writer = writer

    async def send(self, *lines: bytes) -> None:
        """Send lines. Raise ConnectionEndedError."""
        try:
            self._writer.writelines(lines)
            await self._writer.drain()
        except OSError:
            raise _ended() from None

    async def message(self) -> Message:
        """Return the next message. Raise ConnectionEndedError or ProtocolError.

        A caller may give up waiting: nothing is lost by that.
        """
        try:
            line = await self._reader.readuntil(b"\n")
        except asyncio.LimitOverrunError:
            raise too_long() from None
        except (asyncio.IncompleteReadError, OSError):
            raise _ended() from None
        return read_message(line, self._places.socket)

    async def answer_part(self) -> Message:
        """Return the next message of an answer, as long as the daemon is alive.

        A query may take long; a hung daemon is a NoDaemonError. Raise as `message` does.
        """
        while True:
            try:
                async with asyncio.timeout(_SILENCE_S):
                    return await self.message()
            except TimeoutError:
                await probe(self._places)


@asynccontextmanager
async def connected(places: Paths) -> AsyncIterator[Link]:
    """Open a connection for the block. Raise NoDaemonError."""
    wire = _dial(places)
    try:
        reader, writer = await asyncio.open_unix_connection(sock=wire, limit=LIMIT)
    except OSError as error:
        wire.close()
        raise no_daemon(places, state_of(error)) from None
    try:
        yield Link(places, reader, writer)
    finally:
        writer.close()


async def probe(places: Paths) -> None:
    """Return once the daemon answers anything. Raise NoDaemonError after a silence."""
    try:
        async with connected(places) as link, asyncio.timeout(_SILENCE_S):
            await link.send(request(1, "daemon.status", {}))
            await link.message()
    except (TimeoutError, ConnectionEndedError):
        raise no_daemon(places, State.HUNG) from None


def _dial(places: Paths) -> socket.socket:
    """Return a connected socket: on a Unix socket that succeeds or fails at once."""
    wire = socket.socket(socket.AF_UNIX)
    try:
        if not is_own_socket(places.socket):
            raise no_daemon(places, State.FOREIGN)
        wire.setblocking(False)
        wire.connect(str(places.socket))
        if not admitted(uid_of(wire), os.geteuid()):
            raise no_daemon(places, State.FOREIGN)
    except OSError as error:
        wire.close()
        raise no_daemon(places, state_of(error)) from None
    except BaseException:
        wire.close()
        raise
    return wire


def _ended() -> ConnectionEndedError:
    return ConnectionEndedError("The daemon ended the connection.", "hookd daemon logs")
