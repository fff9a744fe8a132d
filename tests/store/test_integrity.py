"""Damage is found in real files; a large table is only read where it is new."""

import re
import struct
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from sqlite3 import connect

import pytest

from hookd.store.database import open_database
from hookd.store.integrity import Checked, CompleteCheck, check_bounded
from support.database_rows import fill, many_events


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A sound database with some rows."""
    file = tmp_path / "a folder?#%41" / "hookd.db"
    with closing(open_database(file)) as db:
        fill(db)
    return file


def rows_astray(path: Path) -> None:
    with closing(connect(path)) as db, db:
        db.execute("UPDATE sessions SET project_id = 4711 WHERE id = 1")


def index_without_its_rows(path: Path) -> None:
    overwrite(path, "sessions_by_claude_id", struct.pack(">BHHHB", 10, 0, 0, 4096, 0))


def overwrite(path: Path, name: str, data: bytes) -> None:
    """Write these bytes, and zeros behind them, over the first page of a table or index."""
    with closing(connect(path)) as db:
        sql = "SELECT rootpage FROM sqlite_schema WHERE name = ?"
        (page,) = db.execute(sql, [name]).fetchone()
        (size,) = db.execute("PRAGMA page_size").fetchone()
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(data.ljust(size, b"\0"))


def header_gone(path: Path) -> None:
    path.write_bytes(b"no database" + path.read_bytes()[11:])


DAMAGE: list[tuple[Callable[[Path], None], str]] = [
    (rows_astray, "row 1 of sessions refers to a row of projects that is not"),
    (index_without_its_rows, "missing from index sessions_by_claude_id"),
    (header_gone, "the file cannot be read: file is not a database"),
]


@pytest.mark.parametrize(
    ("damage", "problem"), DAMAGE, ids=lambda one: getattr(one, "__name__", "")
)
def test_damage_is_found_by_both_checks(
    path: Path, damage: Callable[[Path], None], problem: str
) -> None:
    sound = Checked(())
    assert (check_bounded(path), CompleteCheck(path).run()) == (sound, sound)
    damage(path)
    whole = CompleteCheck(path).run()
    assert whole is not None
    for checked in (check_bounded(path), whole):
        assert any(re.search(problem, one) for one in checked.problems), checked


def test_a_large_table_is_not_checked_whole_but_its_newest_rows_are_read(path: Path) -> None:
    many_events(path)
    assert check_bounded(path) == Checked((), ("events",))
    assert CompleteCheck(path).run() == Checked(())
    overwrite(path, "events", b"")
    assert check_bounded(path).problems


@pytest.mark.parametrize("index", ["events_once", "events_by_session"])
def test_an_index_that_refuses_each_new_row_is_damage_in_a_large_table(
    path: Path, index: str
) -> None:
    many_events(path)
    overwrite(path, index, b"")
    assert check_bounded(path).problems


def test_a_file_that_cannot_be_read_now_is_not_damaged(path: Path) -> None:
    with closing(connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA locking_mode = EXCLUSIVE")
        db.execute("BEGIN EXCLUSIVE")
        locked = check_bounded(path), CompleteCheck(path, timeout_s=0).run()
        db.execute("ROLLBACK")
    nowhere = path.with_name("gone.db")
    for checked in locked:
        assert checked == Checked((), unread="database is locked")
    for checked in (check_bounded(nowhere), CompleteCheck(nowhere).run()):
        assert checked == Checked((), unread="unable to open database file")


def test_without_time_nothing_is_checked_and_that_is_reported(path: Path) -> None:
    many_events(path)
    checked = check_bounded(path, seconds=0)
    assert (checked.problems, "events" in checked.skipped) == ((), True)


def test_a_complete_check_can_be_interrupted(path: Path) -> None:
    many_events(path, 50_000)
    whole, results = CompleteCheck(path), list[Checked | None]()
    thread = threading.Thread(target=lambda: results.append(whole.run()))
    thread.start()
    while thread.is_alive():
        whole.interrupt()
    assert results == [None]
