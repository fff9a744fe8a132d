"""Events read for an export: in windows of numbers, with the progress through them."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from hookd.store.browse.export import EventExport, Selection
from hookd.store.database import DatabaseError, open_database

_ROW = "INSERT INTO events (id, at, event, kind, payload) VALUES (?, ?, 'Stop', ?, '{}')"


def database(path: Path, numbers: list[int]) -> Path:
    """Make a database with events of these numbers and a canary."""
    with closing(open_database(path)) as db:
        rows = [
            (number, f"2026-01-{1 + number % 27:02}T08:00:00.000Z", "hook") for number in numbers
        ]
        db.executemany(_ROW, [*rows, (max(numbers, default=0) + 1, "2026-01-01", "canary")])
    return path


def numbers(path: Path, selection: Selection) -> tuple[list[int], list[float]]:
    """Return the numbers of the events, and the shares that were reached."""
    found, shares = list[int](), list[float]()
    with EventExport(path) as events:
        for batch in events.batches(selection):
            place = batch.rows.columns.index("id")
            found += [row[place] for row in batch.rows.rows]
            shares.append(batch.done / batch.total)
    return found, shares


def test_all_windows_are_read_and_the_share_grows_to_one(tmp_path: Path) -> None:
    wanted = [1, 2, 999, 1_000, 1_001, 2_500, *range(4_000, 4_130)]
    found, shares = numbers(database(tmp_path / "db", wanted), Selection())
    assert found == wanted
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_a_time_begins_at_its_first_event(tmp_path: Path) -> None:
    path = database(tmp_path / "db", [5_000, 5_001])
    since = f"2026-01-{1 + 5_001 % 27:02}"
    assert numbers(path, Selection(since=since))[0] == [5_001]
    assert numbers(path, Selection(since="2027"))[0] == []


def test_an_empty_database_has_no_events(tmp_path: Path) -> None:
    assert numbers(database(tmp_path / "db", []), Selection(event="Stop"))[0] == []


def test_the_window_is_found_by_an_index(tmp_path: Path) -> None:
    path = database(tmp_path / "db", [1])
    sql = "SELECT * FROM event_overview WHERE id > 1 AND id <= 9 AND kind = 'hook' ORDER BY id"
    with closing(sqlite3.connect(path)) as db:
        plan = str(db.execute(f"EXPLAIN QUERY PLAN {sql}").fetchall())
    assert "SEARCH e USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)" in plan


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "db").write_bytes(b"no database at all" * 100)
    with pytest.raises(DatabaseError, match="cannot be read"):
        EventExport(tmp_path / "db")
