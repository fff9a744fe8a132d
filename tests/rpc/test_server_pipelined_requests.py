"""A connection that sends many lines at once is answered in turn with the other connections."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest

from hookd.core.model.daemon_state import RuntimeConfig
from hookd.pipeline.evaluation import PolicyEngine
from hookd.rpc.server import Server
from hookd.store.database import WriterThread, open_database
from hookd.store.reader import Reader
from support.dispatcher import make_dispatcher


@pytest.fixture
async def path(tmp_path: Path) -> AsyncIterator[str]:
    """Return the path of a socket that a server serves."""
    address, stopping = str(tmp_path / "s"), asyncio.Event()
    with closing(WriterThread(open_database(tmp_path / "hookd.db"))) as writer:
        reader = Reader(tmp_path / "hookd.db")
        hookd = make_dispatcher(writer, reader, PolicyEngine(RuntimeConfig()))
        server = Server(
            hookd, hookd.pipeline, stopping, lambda: None, report_limit=lambda _name, _why: None
        )
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(address)
        listener.listen()
        serving = asyncio.ensure_future(server.serve(listener))
        await asyncio.sleep(0)
        yield address
        stopping.set()
        await serving
        await reader.close()


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
