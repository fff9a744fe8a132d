"""Minimal server on a Unix socket: it returns every line.

`echo.py SOCKET asyncio` is asyncio as it comes; `streams` the same on uvloop, which hookd has, too;
`protocol` is barer still; `commits` keeps a call for each line before it comes back, which no
client who answers after a commit can beat.
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from itertools import count
from pathlib import Path

import uvloop
from homes import commit, fresh_database, written

Client = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


class Echo(asyncio.Protocol):
    """Sends back whatever comes."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the way back."""
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        """Send it back."""
        self.transport.write(data)


async def _lines(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while line := await reader.readline():
        writer.write(line)
        await writer.drain()
    writer.close()


def _commits(path: str) -> Client:
    db, numbers = fresh_database(Path(path).with_suffix(".db")), count(1)

    async def lines(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while line := await reader.readline():
            commit(db, written(next(numbers)))
            writer.write(line)
            await writer.drain()
        writer.close()

    return lines


async def main(path: str, kind: str) -> None:
    if kind == "commits":
        server = await asyncio.start_unix_server(_commits(path), path)
    elif kind in ("asyncio", "streams"):
        server = await asyncio.start_unix_server(_lines, path)
    else:
        server = await asyncio.get_running_loop().create_unix_server(Echo, path)
    print("ready", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    run = asyncio.run if sys.argv[2] == "asyncio" else uvloop.run
    run(main(*sys.argv[1:]))
