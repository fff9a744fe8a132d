"""A full outbox drops its oldest events, counts them, and nothing else."""

from collections.abc import Iterator
from pathlib import Path
from sqlite3 import Connection

import pytest

from hookd.core.model.effects.sessions import SetBranch
from hookd.store.outbox_limit import drop_oldest, excess
from support.database_rows import write
from support.outbox import many, member, rows


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Connection]:
    with member(tmp_path / "hookd.db") as (connection, _):
        yield connection


def test_the_oldest_events_are_dropped_and_counted(db: Connection) -> None:
    write(db, [SetBranch(1, "main")])
    many(db, 10)
    assert (excess(db, 11), excess(db, 8)) == (0, 3)
    assert drop_oldest(db, 3) == 3
    assert rows(db) == [("session", 1), *(("event", number) for number in range(103, 110))]
    assert db.execute("SELECT dropped FROM fleet_membership").fetchone() == (3,)


def test_numbers_that_are_gone_do_not_count(db: Connection) -> None:
    many(db, 10)
    db.execute("DELETE FROM outbox WHERE row_id BETWEEN 101 AND 108")
    assert excess(db, 2) == 0


def test_what_is_no_event_stays(db: Connection) -> None:
    write(db, [SetBranch(number, "main") for number in (1, 2, 3, 4)])
    assert excess(db, 1) == 3
    assert drop_oldest(db, 3) == 0
