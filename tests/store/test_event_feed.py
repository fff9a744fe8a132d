"""The event feed: pages after a number, what is left out of them, and events still running."""

from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from sqlite3 import connect

import pytest

from hookd.store.event_feed import MAX_EVENTS, EventFeed
from hookd.store.reader import Reader
from support.database_rows import many_events


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "hookd.db"
    many_events(path, 1_200)
    return path


@pytest.fixture
async def feed(path: Path) -> AsyncIterator[EventFeed]:
    reader = Reader(path)
    yield EventFeed(reader)
    await reader.close()


def change(path: Path, sql: str) -> None:
    with closing(connect(path)) as db, db:
        db.execute(sql)


async def test_a_page_has_the_events_after_a_number_oldest_first(feed: EventFeed) -> None:
    assert await feed.newest() == 1_200
    page = await feed.after(1_197)
    assert ([row["id"] for row in page.rows], page.skipped) == ([1_198, 1_199, 1_200], 0)
    page = await feed.after(1_197, until=1_199)
    assert [row["id"] for row in page.rows] == [1_198, 1_199]
    assert (await feed.after(1_200)).rows == ()


async def test_of_too_many_events_the_newest_are_in_the_page(path: Path, feed: EventFeed) -> None:
    page = await feed.after(0)
    assert (len(page.rows), page.rows[-1]["id"], page.skipped) == (MAX_EVENTS, 1_200, 700)
    assert (await feed.after(1_200 - MAX_EVENTS)).skipped == 0
    change(path, "UPDATE events SET kind = 'canary' WHERE id <= 100")
    assert (await feed.after(0)).skipped == 600, "checks of doctor are no events"
    change(path, "DELETE FROM events WHERE id <= 300")
    assert (await feed.after(0)).skipped == 400, "what was deleted is not missed"
    assert (await feed.after(650)).skipped == 50


async def test_checks_of_doctor_are_left_out(path: Path, feed: EventFeed) -> None:
    change(path, "UPDATE events SET kind = 'canary' WHERE id = 1199")
    assert [row["id"] for row in (await feed.after(1_197)).rows] == [1_198, 1_200]


async def test_an_event_is_pending_until_its_hooks_have_run(path: Path, feed: EventFeed) -> None:
    change(path, "UPDATE events SET pending = 1 WHERE id IN (5, 1000, 1100)")
    assert await feed.pending(1_200) == {1_000, 1_100}, "it looks at the last ones only"
    assert await feed.completed({1_000, 1_100}) == ()
    change(path, "UPDATE events SET pending = 0, decision = 'deny' WHERE id = 1000")
    (row,) = await feed.completed({1_000, 1_100})
    assert (row["id"], row["decision"], row["pending"]) == (1_000, "deny", 0)


async def test_an_empty_database_has_no_events(path: Path, feed: EventFeed) -> None:
    change(path, "DELETE FROM events")
    assert (await feed.newest(), (await feed.after(0)).rows) == (0, ())


@pytest.mark.parametrize(
    ("kind", "used"),
    [("after", "INTEGER PRIMARY KEY (rowid>? AND rowid<?)"), ("left out", "events_canary")],
)
def test_no_page_reads_the_whole_table(path: Path, kind: str, used: str) -> None:
    from hookd.store import event_feed

    sql = {"after": event_feed._NEW, "left out": event_feed._LEFT_OUT}[kind]
    args = {"after": (0, 9, 501), "left out": (0, 700)}[kind]
    with closing(connect(path)) as db:
        plan = [row[3] for row in db.execute(f"EXPLAIN QUERY PLAN {sql}", args)]
    assert any(used in step for step in plan), plan
    assert not any(step.startswith("SCAN e") for step in plan), plan
