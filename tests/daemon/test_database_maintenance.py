"""The database stays within its limits: size, free pages, the write-ahead log, long payloads."""

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from hookd.config.models import RetentionOptions, Settings
from hookd.core.model.daemon_state import RuntimeConfig
from hookd.daemon.database_maintenance import Maintenance, next_step
from hookd.daemon.event_counter import EventCounter
from hookd.events.payload_excerpt import MAX_EXCERPT_CHARS, restore_text
from hookd.log.incidents import Incidents
from hookd.pipeline.evaluation import PolicyEngine
from hookd.store.database import WriterThread, open_database
from hookd.store.space import Space, space
from support.paths import TESTS

pytestmark = pytest.mark.gate

NOW = datetime(2026, 1, 31, 8, tzinfo=UTC)
BASELINE = TESTS / "store" / "baseline_v1.sql"
MB = 1_000_000


@dataclass
class Kept:
    """A database, and what keeps it within its limits."""

    path: Path
    upkeep: Maintenance

    def rows(self, sql: str, *args: object) -> list[Any]:
        with closing(sqlite3.connect(self.path, timeout=30)) as db, db:
            return db.execute(sql, args).fetchall()

    def events(self, many: int, size: int, *, bodies: bool = False) -> None:
        """Record events, one a minute up to an hour ago, each with a payload of this size."""
        with closing(sqlite3.connect(self.path, timeout=30)) as db, db:
            db.execute(
                "INSERT INTO events (at, event, payload) WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL"
                " SELECT i + 1 FROM n LIMIT ?1) SELECT strftime('%Y-%m-%dT%H:%M:%fZ', ?3,"
                " (i - ?1 - 60) || ' minutes'), 'Stop', json_object('x', hex(randomblob(?2 / 2)))"
                " FROM n",
                (many, size, NOW.isoformat()),
            )
            if bodies:
                sql = "INSERT INTO bodies SELECT id, 9000, randomblob(?) FROM events"
                db.execute(sql, (size,))

    @property
    def space(self) -> Space:
        with closing(sqlite3.connect(self.path)) as db:
            return space(db, self.path)

    def retention(self, **options: int) -> None:
        settings = Settings(retention=RetentionOptions(**options))
        self.upkeep.engine.config = replace(self.upkeep.engine.config, settings=settings)

    @property
    def told(self) -> list[str]:
        return [one.text for one in self.upkeep.incidents.told()]


@contextmanager
def kept(path: Path) -> Iterator[Kept]:
    with closing(WriterThread(open_database(path))) as writer:
        house = PolicyEngine(RuntimeConfig())
        yield Kept(path, Maintenance(writer, path, lambda: NOW, house, Incidents()))


@pytest.fixture
async def new(tmp_path: Path) -> AsyncIterator[Kept]:
    with kept(tmp_path / "hookd.db") as one:
        yield one


@pytest.fixture
async def old(tmp_path: Path) -> AsyncIterator[Kept]:
    """A database that the first version of hookd has made, with long payloads in it."""
    path = tmp_path / "hookd.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.executescript(f"BEGIN; {BASELINE.read_text('utf-8')} COMMIT; BEGIN")
        texts = [json.dumps({"number": n, "x": f"{n} " * 100 * (n % 100)}) for n in range(100)]
        rows = [(n, "2026-01-31T06:00:00.000Z", "Stop", text) for n, text in enumerate(texts)]
        db.executemany("INSERT INTO events (id, at, event, payload) VALUES (?, ?, ?, ?)", rows)
        db.execute("UPDATE events SET payload = 'no JSON' || payload WHERE id = 99")
        db.execute("COMMIT")
    with kept(path) as one:
        yield one


async def test_beyond_the_limit_of_size_whole_payloads_go_first(new: Kept) -> None:
    new.events(2_000, 1_000, bodies=True)
    new.retention(max_mb=5)
    await new.upkeep.run_once()
    assert new.space.used <= 5 * MB
    ((events, bodies, least),) = new.rows(
        "SELECT (SELECT count(*) FROM events), count(*), min(event_id) FROM bodies"
    )
    assert (events, bodies, least) == (2_000, 2_000 - least + 1, least)
    assert new.told == ["whole payloads were deleted to stay below 5 MB"]


async def test_events_are_counted_before_they_are_deleted(new: Kept) -> None:
    new.events(3_000, 10)
    new.retention(days=1)
    counter = new.upkeep.counter = EventCounter(new.upkeep.writer)
    async with asyncio.TaskGroup() as group:
        group.create_task(counter.run_once())
        group.create_task(new.upkeep.run_once())
    counts = "(SELECT count(*) FROM events), (SELECT sum(events) FROM hourly_events)"
    (found,) = new.rows(f"SELECT {counts}")
    assert found == (1_380, 3_000)


async def test_then_the_oldest_events_go_and_their_room_is_given_back(new: Kept) -> None:
    new.events(8_000, 2_000)
    assert new.space.file > 16 * MB
    new.retention(max_mb=5)
    await new.upkeep.run_once()
    size = new.space
    assert size.used <= 5 * MB
    assert size.free <= 5 * MB
    ((count, least, most),) = new.rows("SELECT count(*), min(id), max(id) FROM events")
    assert (count, most) == (most - least + 1, 8_000)
    assert [one.startswith("events before 2026-01-") for one in new.told] == [True]


async def test_the_newest_events_stay_however_small_the_limit_is(new: Kept) -> None:
    new.events(2_000, 2_000)
    new.retention(max_mb=1)
    await new.upkeep.run_once()
    assert new.rows("SELECT count(*), max(id) FROM events") == [(1_000, 2_000)]


async def test_without_a_limit_all_stays(new: Kept) -> None:
    new.events(1_500, 2_000)
    new.retention(max_mb=0)
    await new.upkeep.run_once()
    assert new.rows("SELECT count(*) FROM events") == [(1_500,)]
    assert new.told == []


async def test_the_log_is_emptied_once_nobody_reads_from_it(new: Kept) -> None:
    with closing(sqlite3.connect(new.path)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM events").fetchall()
        new.events(5_000, 2_000)
        await new.upkeep.run_once()
        assert new.space.log > 8 * MB
    await new.upkeep.run_once()
    assert new.space.log < MB


async def test_long_payloads_of_an_older_hookd_are_cut_and_kept_beside(old: Kept) -> None:
    before = dict(old.rows("SELECT id, payload FROM events"))
    await old.upkeep.run_once()
    after = dict(old.rows("SELECT id, payload FROM events"))
    whole = {key: restore_text(data) for key, data in old.rows("SELECT event_id, zlib FROM bodies")}
    long = {number for number, text in before.items() if len(text) > MAX_EXCERPT_CHARS} - {99}
    assert whole == {number: before[number] for number in long}
    assert len(long) > 50
    assert all(
        len(after[number]) <= MAX_EXCERPT_CHARS and json.loads(after[number]) for number in long
    )
    assert after | dict.fromkeys(long) == before | dict.fromkeys(long)
    assert old.rows("SELECT * FROM meta WHERE key = 'payloads_to_cut'") == []
    assert old.rows("SELECT count(payload_sha256) FROM events") == [(len(long),)]


async def test_a_small_database_of_an_older_hookd_gives_room_back_from_then_on(old: Kept) -> None:
    assert not old.space.gives_back
    await old.upkeep.run_once()
    assert old.space.gives_back
    old.events(4_000, 2_000)
    old.retention(max_mb=1)
    await old.upkeep.run_once()
    assert old.space.free <= 5 * MB
    assert old.rows("PRAGMA integrity_check") == [("ok",)]


async def test_nothing_is_written_anew_while_events_come(old: Kept) -> None:
    old.rows("UPDATE events SET at = ? WHERE id = 99", "2026-01-31T07:59:30.000Z")
    await old.upkeep.run_once()
    assert not old.space.gives_back


@pytest.mark.parametrize(
    ("rows", "seconds", "following"),
    [
        (20, 0.0001, 40),  # in memory: twice as many, no more
        (20, 0.0025, 40),
        (20, 0.004, 25),
        (20, 0.005, 20),
        (20, 0.02, 5),  # on a disk: as many as fit, at once
        (100, 0.13, 3),
        (5, 4.0, 2),  # at least so many, or nothing would ever be deleted
        (100, 0.0001, 100),  # at most so many: the next may be on the disk
    ],
)
def test_the_size_of_a_step_follows_the_time_of_the_last(
    rows: int, seconds: float, following: int
) -> None:
    assert next_step(rows, seconds) == following
