"""A damaged database is renamed; a database that cannot be written is read, or left unread."""

import asyncio
import fcntl
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest

from hookd.store.database import DatabaseError, open_database
from hookd.store.health import ResilientWriter, StoreHealth
from hookd.store.recovery import (
    claim_report,
    damaged,
    harmed,
    keep_aside,
    opened,
    run_read_only,
    sound,
    unwritable,
)

AT = "2026-01-31T08:00:00.000Z"
ASIDE = "hookd.db.corrupt-20260131T080000000Z"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A database with so many pages that it has a middle."""
    place = tmp_path / "hookd.db"
    with closing(open_database(place)) as db:
        rows = [(f"key {number}", "x" * 2_000) for number in range(200)]
        db.executemany("INSERT INTO meta VALUES (?, ?)", rows)
    return place


def overwrite(path: Path, start: int, length: int) -> bytes:
    """Destroy a part of a file; return what the whole holds then."""
    with path.open("r+b") as file:
        file.seek(start)
        file.write(b"\xaa" * length)
    return path.read_bytes()


def keys(connection: sqlite3.Connection | None) -> int:
    assert connection is not None
    with closing(connection):
        count: int = connection.execute("SELECT count(*) FROM meta").fetchone()[0]
        return count


def test_a_sound_one_is_opened_and_nothing_is_kept_aside(path: Path) -> None:
    base = opened(path, AT, doubtful=True)
    assert (base.fault, base.aside, keys(base.connection)) == ("", "", 200)
    assert list(path.parent.glob("*corrupt*")) == []


@pytest.mark.parametrize("doubtful", [True, False])
def test_one_without_its_header_is_kept_aside_as_it_is(path: Path, *, doubtful: bool) -> None:
    before = overwrite(path, 0, 200)
    base = opened(path, AT, doubtful=doubtful)
    assert base.aside == str(path.with_name(ASIDE))
    assert path.with_name(ASIDE).read_bytes() == before
    assert keys(base.connection) == 0


def test_a_damaged_middle_is_found_where_there_is_doubt(path: Path) -> None:
    before = overwrite(path, path.stat().st_size // 2, 20_000)
    assert not sound(path)
    base = opened(path, AT, doubtful=True)
    assert path.with_name(ASIDE).read_bytes() == before
    assert keys(base.connection) == 0


def test_its_log_goes_with_it_by_a_name_that_sqlite_finds(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("INSERT INTO meta VALUES ('late', '')")
        db.commit()
        log = Path(f"{path}-wal").read_bytes()
        overwrite(path, 0, 200)
        assert keys(opened(path, AT).connection) == 0
        assert path.with_name(f"{ASIDE}-wal").read_bytes() == log


@pytest.mark.parametrize(
    ("told", "harm"),
    [
        ("ok", False),
        ("*** in database main ***\nPage 12: unable to get the page. error code=266", False),
        ("*** in database main ***\nPage 12: unable to get the page. error code=7", False),
        ("*** in database main ***\nfailed to get page 31", False),
        ("*** in database main ***\nPage 12: unable to get the page. error code=11", True),
        ("*** in database main ***\nPage 12: btreeInitPage() returns error code 11", True),
        ("*** in database main ***\nPage 7 is never used", True),
    ],
)
def test_a_page_that_the_disk_did_not_give_is_no_damage(told: str, harm: bool) -> None:
    assert harmed(told) == harm


def test_a_move_that_ends_in_its_middle_leaves_no_database_without_its_log(path: Path) -> None:
    Path(f"{path}-wal").touch()
    Path(path.with_name(ASIDE) / "in the way").mkdir(parents=True)
    with pytest.raises(OSError, match=ASIDE):
        keep_aside(path, AT)
    assert path.exists()
    assert Path(f"{path.with_name(ASIDE)}-wal").exists()


def test_a_log_that_is_none_is_kept_aside_and_the_database_stays(path: Path) -> None:
    log = Path(f"{path}-wal")
    log.write_bytes(b"\xaa" * 10_000)
    base = opened(path, AT)
    assert base.aside == str(path.with_name(f"{ASIDE}-wal"))
    assert Path(base.aside).read_bytes() == b"\xaa" * 10_000
    assert keys(base.connection) == 200


def test_what_a_person_has_to_decide_is_refused_and_left_alone(tmp_path: Path) -> None:
    place = tmp_path / "hookd.db"
    with closing(sqlite3.connect(place)) as db:
        db.execute("CREATE TABLE events (somebodys TEXT)")
    with pytest.raises(DatabaseError, match="already exists"):
        opened(place, AT, doubtful=True)
    with closing(sqlite3.connect(place)) as db:
        db.execute("PRAGMA user_version = 99")
    with pytest.raises(DatabaseError, match="newer hookd"):
        opened(place, AT, doubtful=True)
    assert list(tmp_path.glob("*corrupt*")) == []


def test_one_that_somebody_holds_is_read_though_not_written(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("BEGIN EXCLUSIVE")
        assert run_read_only(path, _count) == 200
        with closing(sqlite3.connect(path, timeout=0)) as other:
            with pytest.raises(sqlite3.OperationalError) as caught:
                other.execute("BEGIN IMMEDIATE")
            assert (unwritable(caught.value), damaged(caught.value)) == (True, False)


def _count(db: sqlite3.Connection) -> int:
    return int(db.execute("SELECT count(*) FROM meta").fetchone()[0])


def _rules(db: sqlite3.Connection) -> list[str]:
    return [row[0] for row in db.execute("SELECT rule_json FROM guards")]


def test_where_it_cannot_be_read_there_is_an_empty_one_with_a_rule_that_asks(path: Path) -> None:
    overwrite(path, 0, 200)
    (rule,) = run_read_only(path, _rules)
    assert '"urgency":"ask"' in rule
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        run_read_only(path, lambda db: db.execute("DELETE FROM guards"))


def test_where_there_is_none_there_are_no_rules_either(tmp_path: Path) -> None:
    assert run_read_only(tmp_path / "none.db", _rules) == []


def test_a_fault_of_the_statement_is_no_fault_of_the_file(path: Path) -> None:
    with pytest.raises(sqlite3.OperationalError, match="no such table"):
        run_read_only(path, lambda db: db.execute("SELECT * FROM nowhere"))


def test_it_is_told_once_that_something_was_kept_aside(path: Path) -> None:
    with closing(open_database(path)) as db:
        assert [claim_report(db, name) for name in ("a", "a", "b", "b")] == [
            True,
            False,
            True,
            False,
        ]


def add(key: str) -> Callable[[sqlite3.Connection], object]:
    return lambda db: db.execute("INSERT INTO meta VALUES (?, '')", (key,))


async def test_a_writer_says_why_nothing_is_kept_until_something_is(path: Path) -> None:
    health = StoreHealth(lambda: AT)
    with closing(ResilientWriter(open_database(path), path, health)) as writer:
        await writer.run(add("first"))
        assert health.describe() == ""
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN EXCLUSIVE")
            with pytest.raises(sqlite3.OperationalError, match="locked"):
                await writer.run(add("second"))
            assert health.describe() == f"nothing is stored since {AT}: database is locked"
        await writer.run(_count)
        assert health.describe(), "what reads is no sign: a disk that is full is read, too"
        for _ in range(10):
            await writer.alive()
        assert health.describe() == "", "it has tried by itself"


async def test_a_fault_of_the_work_is_none_of_the_disk(path: Path) -> None:
    health = StoreHealth(lambda: AT)
    with closing(ResilientWriter(open_database(path), path, health)) as writer:
        with pytest.raises(sqlite3.IntegrityError):
            await writer.run(add("key 1"))
        assert (health.describe(), health.suspect) == ("", False)


async def test_a_database_that_is_damaged_meanwhile_is_suspect(path: Path) -> None:
    health = StoreHealth(lambda: AT)
    with closing(ResilientWriter(open_database(path), path, health)) as writer:
        overwrite(path, 4096, 500_000)
        with suppress(sqlite3.Error):
            await writer.run(
                lambda db: db.execute("SELECT sum(length(value)) FROM meta").fetchall()
            )
        assert health.suspect
        assert not sound(path)


async def test_a_writer_without_a_database_opens_it_once_that_can_be(path: Path) -> None:
    folder = path.parent / "later"
    folder.write_text("a file in the folder's place")
    health = StoreHealth(lambda: AT, "it cannot be opened")
    with closing(ResilientWriter(None, folder / "hookd.db", health)) as writer:
        with pytest.raises(sqlite3.OperationalError, match="cannot be opened"):
            await writer.run(add("first"))
        folder.unlink()
        writer._last_try = -1.0
        await writer.run(add("second"))
        assert health.describe() == ""
        assert await writer.run(_count) == 1


async def test_a_disk_that_is_full_in_the_middle_of_a_work_is_told_to_all_and_noted(
    tmp_path: Path,
) -> None:
    place, health = tmp_path / "hookd.db", StoreHealth(lambda: AT)

    def small(db: sqlite3.Connection) -> None:
        db.execute("INSERT OR REPLACE INTO meta VALUES ('small', '')")

    def large(db: sqlite3.Connection) -> None:
        (pages,) = db.execute("PRAGMA page_count").fetchone()
        db.execute(f"PRAGMA max_page_count = {pages}")
        db.execute("INSERT INTO meta VALUES ('large', ?)", ("x" * 100_000,))

    with closing(ResilientWriter(open_database(place), place, health)) as writer:
        works = (writer.run(small), writer.run(large), writer.run(small))
        told = await asyncio.gather(*works, return_exceptions=True)
        assert {str(error) for error in told} == {"database or disk is full"}
        assert health.describe() == f"nothing is stored since {AT}: database or disk is full"
        assert await writer.run(lambda db: db.execute("SELECT * FROM meta").fetchall()) == []


def test_nothing_of_this_touches_who_else_has_the_file_open(path: Path) -> None:
    with path.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_SH)
        assert keys(opened(path, AT, doubtful=True).connection) == 200
        assert os.fstat(file.fileno()).st_ino == path.stat().st_ino
