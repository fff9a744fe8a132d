"""The version of a client is stored with its session, unless an event has named it."""

import asyncio
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from hookd.daemon import client_versions
from hookd.daemon.client_versions import ClientVersions
from hookd.store.database import Connection, WriterThread, open_database

SELECT = "SELECT client_version FROM sessions ORDER BY id"


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[WriterThread]:
    with closing(WriterThread(open_database(tmp_path / "hookd.db"))) as writing:
        yield writing


async def test_each_session_of_a_process_gets_its_version_and_one_read(
    writer: WriterThread, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []

    def version(process: str) -> str | None:
        read.append(process)
        return "0.169.0" if process == "7:1" else None

    monkeypatch.setattr(client_versions, "client_version", version)

    def sessions(db: Connection) -> None:
        for known in (None, None, None, "2.1.330"):
            db.execute(
                "INSERT INTO sessions (claude_session_id, source, client_version, created_at,"
                " last_event_at) VALUES ('s', 'startup', ?, '', '')",
                (known,),
            )

    await writer.run(sessions)
    changed: asyncio.Queue[None] = asyncio.Queue()
    versions = ClientVersions(writer, lambda: changed.put_nowait(None))
    for session, process in ((1, "8:1"), (2, "7:1"), (3, "7:1"), (4, "7:1")):
        versions.enqueue(session, process)
    running = asyncio.create_task(versions.run())
    for _ in range(3):
        await changed.get()
    running.cancel()
    with suppress(asyncio.CancelledError):
        await running
    found = await writer.run(lambda db: [row[0] for row in db.execute(SELECT)])
    assert found == [None, "0.169.0", "0.169.0", "2.1.330"]
    assert read == ["8:1", "7:1"]
