"""A connection that sends many lines at once is answered in turn with the other connections."""

import asyncio
import json

import pytest

COUNT = 500
LAST = b'{"jsonrpc":"2.0","id":"last","method":"none"}\n'


@pytest.mark.parametrize(
    "line", [b"\n", b"no JSON\n", b'{"jsonrpc":"2.0","id":1,"method":"none"}\n']
)
async def test_other_work_goes_between_the_lines_of_one_connection(line: bytes, path: str) -> None:
    reader, writer = await asyncio.open_unix_connection(path)
    turns = 0

    async def work() -> None:
        nonlocal turns
        while True:
            await asyncio.sleep(0)
            turns += 1

    other = asyncio.ensure_future(work())
    writer.write(line * COUNT + LAST)
    while json.loads(await reader.readline())["id"] != "last":
        pass
    other.cancel()
    assert turns >= COUNT
    writer.close()
    await writer.wait_closed()
