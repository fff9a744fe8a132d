"""The time of a late commit is added to the event's row afterwards, by a real writer."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from hookd.daemon import latency_updates
from hookd.daemon.latency_updates import LatencyUpdates
from hookd.pipeline.latency import Trace
from hookd.store import writes
from hookd.store.database import Connection, WriterThread, open_database
from support.database_rows import event


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[WriterThread]:
    with closing(WriterThread(open_database(tmp_path / "hookd.db"))) as writing:
        yield writing


def late() -> Trace:
    """Return the trace of an event whose commit took 90 ms."""
    now = [0]
    made = Trace(lambda: now[0])
    made.row()
    now[0] = 90_000_000
    made.mark("commit")
    return made


async def durations(writer: WriterThread) -> list[tuple[int | None, object]]:
    def read(db: Connection) -> list[tuple[int | None, str | None]]:
        return db.execute("SELECT duration_us, stages FROM events ORDER BY id").fetchall()

    return [(took, text and json.loads(text)) for took, text in await writer.run(read)]


async def test_the_rows_of_late_events_are_updated_together(
    writer: WriterThread, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(latency_updates, "_DELAY_S", 0)
    for number in (1, 2, 3):
        await writer.run(lambda db, n=number: writes.record(db, event(n)))  # type: ignore[misc]
    updates = LatencyUpdates(writer)
    task = asyncio.create_task(updates.run())
    updates.add(1, late())
    updates.add(3, late())
    async with asyncio.timeout(10):
        while (await durations(writer))[2][0] is None:
            await asyncio.to_thread(str)  # the updates have their turn
    stored = (90_000, {"commit": 90_000})
    assert await durations(writer) == [stored, (None, None), stored]
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


async def test_durations_that_cannot_be_stored_are_dropped(tmp_path: Path) -> None:
    connection = open_database(tmp_path / "hookd.db")
    connection.execute("PRAGMA query_only = 1")
    with closing(WriterThread(connection)) as writing:
        updates = LatencyUpdates(writing)
        updates.add(1, late())
        await updates.store()
        await updates.store()  # nothing is left


async def test_a_number_that_no_row_can_have_does_not_end_the_daemon(writer: WriterThread) -> None:
    await writer.run(lambda db: writes.record(db, event(1)))
    updates = LatencyUpdates(writer)
    updates.add(1 << 70, late())
    await updates.store()
    updates.add(1, late())
    await updates.store()
    assert await durations(writer) == [(90_000, {"commit": 90_000})]
