"""Events are counted in the background, exactly once, and before they are deleted."""

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from hookd.core.model.effects.messages import RecountEvents
from hookd.daemon.event_counter import EventCounter
from hookd.store import writes
from hookd.store.database import WriterThread, open_database
from support.database_rows import many_events

_COUNTS = "SELECT coalesce(sum(events), 0) FROM hourly_events"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    many_events(tmp_path / "hookd.db")
    return tmp_path / "hookd.db"


@pytest.fixture
def writer(path: Path) -> Iterator[WriterThread]:
    with closing(WriterThread(open_database(path))) as writing:
        yield writing


def one(path: Path, sql: str) -> int:
    with closing(sqlite3.connect(path)) as db:
        return int(db.execute(sql).fetchone()[0])


def record(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute(
            "INSERT INTO events (at, event, payload) VALUES ('2026-01-31T09:00:00Z', 'Stop', '')"
        )


async def test_events_of_an_earlier_daemon_are_counted_at_once_and_once(
    path: Path, writer: WriterThread
) -> None:
    counter = EventCounter(writer)
    await counter.run_once()
    assert one(path, _COUNTS) == 2_500
    await counter.run_once()
    await EventCounter(writer).run_once()
    assert one(path, _COUNTS) == 2_500


async def test_a_new_event_is_counted_in_the_round_after_the_one_that_saw_it(
    path: Path, writer: WriterThread
) -> None:
    counter = EventCounter(writer)
    await counter.run_once()
    record(path)
    await counter.run_once()
    assert one(path, _COUNTS) == 2_500
    await counter.run_once()
    assert one(path, _COUNTS) == 2_501


async def test_two_counters_at_once_double_nothing(path: Path, writer: WriterThread) -> None:
    await asyncio.gather(*(EventCounter(writer).run_once() for _ in range(3)))
    assert one(path, _COUNTS) == 2_500


async def test_the_round_that_runs_is_waited_for(path: Path, writer: WriterThread) -> None:
    counter = EventCounter(writer)
    running = asyncio.create_task(counter.run_once())
    await asyncio.sleep(0)
    await counter.finish()
    assert one(path, _COUNTS) == 2_500
    await running


async def test_a_recount_is_complete_before_anything_is_deleted(
    path: Path, writer: WriterThread
) -> None:
    counter = EventCounter(writer)
    await counter.run_once()
    await writer.run(lambda db: writes.write(db, RecountEvents(), ""))
    await writer.run(lambda db: db.execute("UPDATE hourly_events SET events = 7"))
    await counter.finish()
    assert one(path, _COUNTS) == 2_500
    assert one(path, "SELECT count(*) FROM meta WHERE key LIKE 'recount%'") == 0


async def test_a_fault_is_logged_once_and_the_next_round_goes_on(
    path: Path, writer: WriterThread, caplog: pytest.LogCaptureFixture
) -> None:
    counter = EventCounter(writer)
    await writer.run(lambda db: db.execute("INSERT INTO meta VALUES ('events_counted', 'x')"))
    await counter.run_once()
    await counter.run_once()
    assert [record.message for record in caplog.records] == ["events could not be counted"]
    await writer.run(lambda db: db.execute("DELETE FROM meta WHERE key = 'events_counted'"))
    await counter.run_once()
    assert one(path, _COUNTS) == 2_500
