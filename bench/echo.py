"""The home of the least that a server on a Unix socket can be: every line comes back.

`echo.py SOCKET streams` reads lines as hookd does; `echo.py SOCKET protocol` is barer still.
"""

import asyncio
import sys

import uvloop


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


async def main(path: str, kind: str) -> None:
    if kind == "streams":
        server = await asyncio.start_unix_server(_lines, path)
    else:
        server = await asyncio.get_running_loop().create_unix_server(Echo, path)
    print("ready", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(main(*sys.argv[1:]))
