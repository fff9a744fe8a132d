"""A read-only connection: one short transaction a request, a time limit, errors in words."""

import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from hookd.store.browse import connection
from hookd.store.browse.connection import BrowseError, Browser
from hookd.store.database import MIGRATIONS, open_database, schema_version

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "hookd.db"
    open_database(file).close()
    return file


def number(db: connection.Connection) -> Any:
    return db.execute("SELECT count(*) AS found FROM events").fetchone()["found"]


def add(path: Path) -> None:
    with closing(sqlite3.connect(path, timeout=0)) as db, db:
        db.execute("INSERT INTO events (at, event, payload) VALUES ('2026', 'Stop', '{}')")


def no_file(path: Path) -> None:
    path.unlink()


def empty(path: Path) -> None:
    path.write_bytes(b"")


def older(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"PRAGMA user_version = {schema_version() - 1}")


def newer(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"PRAGMA user_version = {schema_version() + 1}")


def garbage(path: Path) -> None:
    path.write_bytes(b"no database " * 1_000)


def damaged(path: Path) -> None:
    whole = bytearray(path.read_bytes())
    whole[1024:] = b"\xff" * (len(whole) - 1024)
    path.write_bytes(whole)


def folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize(
    ("spoil", "kind", "words", "step"),
    [
        (no_file, connection.NoDatabaseError, "there is no database", "hookd start"),
        (empty, connection.NoDatabaseError, "there is no database", "hookd start"),
        (older, connection.VersionError, "of an older hookd", "hookd restart"),
        (newer, connection.VersionError, "of a newer hookd", "start this command again"),
        (garbage, connection.DamagedError, "is damaged", "hookd db check"),
        (damaged, connection.DamagedError, "is damaged", "hookd db check"),
        (folder, connection.UnreadableError, "cannot be read", "are yours"),
    ],
)
def test_what_is_wrong_with_the_file_is_said_in_words_with_the_next_step(
    path: Path, spoil: Callable[[Path], None], kind: type[BrowseError], words: str, step: str
) -> None:
    spoil(path)
    with pytest.raises(kind, match=words) as raised:
        Browser(path).read(number)
    assert str(path) in str(raised.value)
    assert step in raised.value.step


def test_the_newest_migration_is_the_version_of_the_schema(path: Path) -> None:
    names = sorted(step.name for step in MIGRATIONS.glob("*.sql"))
    assert schema_version() == int(names[-1][:4])


def test_a_request_that_takes_too_long_is_ended_and_the_next_one_works(path: Path) -> None:
    browser = Browser(path, seconds=0.05)
    with pytest.raises(connection.TooSlowError, match=r"within 0\.05 s") as raised:
        browser.read(lambda db: db.execute(ENDLESS).fetchall())
    assert "narrower" in raised.value.step
    assert browser.read(number) == 0
    browser.close()


def test_an_exclusive_lock_is_reported(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "_BUSY_MS", 1)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA locking_mode = EXCLUSIVE")
        db.execute("PRAGMA journal_mode = DELETE")
        db.execute("BEGIN EXCLUSIVE")
        with pytest.raises(connection.LockedError, match="locked"):
            Browser(path).read(number)


def test_nothing_can_be_written(path: Path) -> None:
    with pytest.raises(connection.UnreadableError, match="readonly"):
        Browser(path).read(lambda db: db.execute("DELETE FROM events"))


def test_no_transaction_stays_open_between_requests(path: Path) -> None:
    browser = Browser(path)
    assert browser.read(number) == 0
    add(path)
    assert browser.read(number) == 1
    with closing(sqlite3.connect(path)) as db:  # an open reader would keep the log
        assert db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0
    browser.close()


def test_a_request_sees_one_state_while_another_process_writes(path: Path) -> None:
    def twice(db: connection.Connection) -> tuple[Any, Any]:
        before = number(db)
        add(path)  # with a timeout of zero: a reader that blocked the writer would fail here
        return before, number(db)

    browser = Browser(path)
    assert browser.read(twice) == (0, 0)
    assert browser.read(number) == 1
    browser.close()


def test_threads_read_at_the_same_time(path: Path) -> None:
    add(path)
    browser, found = Browser(path), []
    together = threading.Barrier(6)

    def read() -> None:
        def query(db: connection.Connection) -> Any:
            together.wait(10)  # all six are in their transactions
            return number(db)

        found.append(browser.read(query))

    threads = [threading.Thread(target=read) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [1] * 6
    browser.close()


def test_a_file_that_takes_the_place_of_the_first_is_read(path: Path) -> None:
    browser = Browser(path)
    assert browser.read(number) == 0
    path.rename(path.with_suffix(".corrupt"))
    open_database(path).close()
    add(path)
    assert browser.read(number) == 1
    browser.close()


def test_an_error_of_the_query_itself_is_raised_unchanged(path: Path) -> None:
    browser = Browser(path)
    with pytest.raises(KeyError):
        browser.read(lambda _db: {}["none"])
    assert browser.read(number) == 0
    browser.close()
