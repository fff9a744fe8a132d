"""Minimal server on a Unix socket, asyncio as it comes: `echo.py SOCKET` returns every line."""

import asyncio
import sys


async def _lines(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while line := await reader.readline():
        writer.write(line)
        await writer.drain()
    writer.close()


async def main(path: str) -> None:
    server = await asyncio.start_unix_server(_lines, path)
    print("ready", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
