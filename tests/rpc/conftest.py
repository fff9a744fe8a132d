"""A server on a real socket, in the process of the test."""

import asyncio
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
