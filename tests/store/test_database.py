"""A database is made, led to the schema's version, or refused with a sentence; never half of it."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from shutil import copy2
from typing import Any

import pytest

from hookd.store.database import MIGRATIONS, SCHEMA, DatabaseError, open_database

BASELINE = Path(__file__).with_name("baseline_v1.sql")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "hookd.db"


def old(path: Path) -> None:
    """Make the database that the first version of hookd made, with a row in it."""
    path.parent.mkdir(parents=True)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.executescript(BASELINE.read_text("utf-8"))
        db.execute("INSERT INTO meta VALUES ('created_by', 'hookd 0.1.0')")


def version(db: sqlite3.Connection) -> int:
    number: int = db.execute("PRAGMA user_version").fetchone()[0]
    return number


def pieces(sql: str) -> list[str]:
    """Return the parts of a statement between its outermost commas, sorted, in one spelling.

    A column that a migration adds is at another place than in the text of a new table.
    """
    bare = re.sub(r"\s+", " ", re.sub(r"--[^\n]*", "", sql))
    bare = re.sub(r" ?([(),]) ?", r"\1", bare).replace('"', "")
    depth, found = 0, [""]
    for letter in bare:
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if (letter == "," and depth == 1) or (letter == ")" and depth == 0):
            found.append("")
        else:
            found[-1] += letter
    return sorted(found)


def shape(db: sqlite3.Connection) -> dict[tuple[str, str], Any]:
    """Return everything that the database is made of, by kind and name."""
    rows = db.execute("SELECT type, name, tbl_name, sql FROM sqlite_master").fetchall()
    return {(kind, name): (table, pieces(sql or "")) for kind, name, table, sql in rows}


def test_a_new_database_has_the_schema(path: Path) -> None:
    with closing(open_database(path)) as db, closing(sqlite3.connect(":memory:")) as plain:
        plain.executescript(SCHEMA.read_text("utf-8"))
        assert shape(db) == shape(plain)
        assert version(db) == version(plain) >= 1


def test_it_belongs_to_the_user_alone(path: Path) -> None:
    open_database(path).close()
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700


def test_it_is_opened_as_the_documentation_says(path: Path) -> None:
    with closing(open_database(path)) as db:
        found = {
            name: db.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
    assert found == {
        "journal_mode": "wal",
        "synchronous": 1,
        "foreign_keys": 1,
        "busy_timeout": 500,
    }


def test_opening_it_again_changes_nothing(path: Path) -> None:
    with closing(open_database(path)) as db:
        before = shape(db)
        db.execute("INSERT INTO meta VALUES ('a', 'b')")
    with closing(open_database(path)) as db:
        assert shape(db) == before
        assert db.execute("SELECT * FROM meta").fetchall() == [("a", "b")]


def test_both_roads_to_the_schema_end_alike(path: Path, tmp_path: Path) -> None:
    old(path)
    with (
        closing(open_database(path)) as migrated,
        closing(open_database(tmp_path / "new.db")) as new,
    ):
        assert shape(migrated) == shape(new)
        assert version(migrated) == version(new)
        assert migrated.execute("SELECT value FROM meta").fetchall() == [("hookd 0.1.0",)]


BEFORE_THE_NAMES = 14
"""The last version whose columns have the old names."""


def test_renamed_columns_keep_their_values(path: Path, tmp_path: Path) -> None:
    older = tmp_path / "older"
    older.mkdir()
    for step in MIGRATIONS.glob("[0-9]*.sql"):
        if int(step.name[:4]) <= BEFORE_THE_NAMES:
            copy2(step, older)
    old(path)
    with closing(open_database(path, older)) as db:
        db.executescript(
            """
            INSERT INTO sessions (id, claude_session_id, source, client, created_at, last_event_at)
              VALUES (1, 's', 'startup', '7:70', 't', 't');
            INSERT INTO tasks (dir_path, title, created_at) VALUES ('/t', 'title', 't');
            INSERT INTO efforts (id, task_id, skill, ordinal, created_at)
              VALUES (1, '/t', 'plan', 1, 't');
            INSERT INTO guards (rule_id, scope, rule_json, created_at)
              VALUES ('no-rm', 'user', '{}', 't');
            INSERT INTO injections (session_id, rule_id, content, offers, created_at)
              VALUES (1, 'preload', 'text', 3, 't');
            INSERT INTO events (id, at, event, rule, payload)
              VALUES (1, 't', 'Stop', 'no-rm', '{}');
            INSERT INTO hook_runs (event_id, handler, fault, stderr_head, created_at)
              VALUES (1, 'lint', 'timed out after 1 s', 'slow', 't');
            """
        )
    with closing(open_database(path)) as db:
        for sql, row in (
            ("client_process, client, client_version FROM windows", ("7:70", None, None)),
            ("e.task_dir, t.title FROM efforts e JOIN tasks t USING (task_dir)", ("/t", "title")),
            ("task FROM active_efforts", ("/t",)),
            ("name FROM guard_overview", ("no-rm",)),
            ("source, state FROM injection_overview", ("preload", "abandoned")),
            ("decided_by FROM recent_events", ("no-rm",)),
            ("decided_by, timed_out FROM event_overview", ("no-rm", 1)),
            (
                "hook_id, error, stderr_excerpt FROM hook_run_overview",
                ("lint", "timed out after 1 s", "slow"),
            ),
        ):
            assert db.execute(f"SELECT {sql}").fetchall() == [row], sql
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []


BEFORE_SHARED_WORK = 31
"""The last version whose work items belong to a project alone."""


def test_work_items_are_kept_and_found_by_their_repository(path: Path, tmp_path: Path) -> None:
    older = tmp_path / "older"
    older.mkdir()
    for step in MIGRATIONS.glob("[0-9]*.sql"):
        if int(step.name[:4]) <= BEFORE_SHARED_WORK:
            copy2(step, older)
    old(path)
    with closing(open_database(path, older)) as db:
        assert version(db) == BEFORE_SHARED_WORK
        db.executescript(
            """
            INSERT INTO projects (id, path, name, repository, created_at)
              VALUES (1, '/shop', 'shop', '/shop', 't'), (2, '/tree', 'tree', '/shop', 't');
            INSERT INTO work_items (id, project_id, title, state, conversation, agent, added_by,
                                    created_at, taken_at, done_at)
              VALUES (1, 1, 'Parse', 'done', NULL, 'ada', 'person', 't', 't', 't'),
                     (2, 1, 'Document', 'taken', 's', 'ada', 'person', 't', 't', NULL),
                     (3, 2, 'Review', 'open', NULL, NULL, 'ada', 't', NULL, NULL);
            INSERT INTO work_dependencies VALUES (2, 1), (3, 2);
            """
        )
    with closing(open_database(path)) as db:
        found = "id, title, state, agent, waits_for_json, ready, repository FROM work_overview"
        assert db.execute(f"SELECT {found} ORDER BY id").fetchall() == [
            (1, "Parse", "done", "ada", "[]", 0, "/shop"),
            (2, "Document", "taken", "ada", "[]", 0, "/shop"),
            (3, "Review", "open", None, "[2]", 0, "/shop"),
        ]
        assert db.execute("SELECT DISTINCT key FROM work_items").fetchall() == [(None,)]
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []


def test_migrations_are_run_in_their_order_and_once(path: Path, tmp_path: Path) -> None:
    old(path)
    (tmp_path / "0003_c.sql").write_text("INSERT INTO extra (b) VALUES ('three');")
    (tmp_path / "0002_b.sql").write_text(
        "CREATE TABLE extra (a TEXT, b TEXT);\nALTER TABLE meta ADD COLUMN note TEXT; -- why"
    )
    (tmp_path / "notes.txt").write_text("no migration")
    for _ in range(2):
        with closing(open_database(path, tmp_path)) as db:
            assert version(db) == 3
            assert db.execute("SELECT * FROM extra").fetchall() == [(None, "three")]
            assert db.execute("SELECT * FROM meta").fetchall() == [
                ("created_by", "hookd 0.1.0", None)
            ]


BAD = {
    "a table that there is not": ("CREATE TABLE extra (a TEXT);\nINSERT INTO nowhere VALUES (1);"),
    "no SQL at all": "CREATE TABLE extra (a TEXT);\nthis is no SQL;",
    "a constraint": (
        "CREATE TABLE extra (a TEXT);\nUPDATE meta SET value = 'changed';\n"
        "INSERT INTO meta VALUES ('created_by', 'twice');"
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_a_migration_that_fails_is_undone_wholly(name: str, path: Path, tmp_path: Path) -> None:
    old(path)
    (tmp_path / "0002_good.sql").write_text("CREATE TABLE kept (a TEXT);")
    (tmp_path / "0003_bad.sql").write_text(BAD[name])
    for _ in range(2):
        with pytest.raises(DatabaseError, match="cannot be updated") as refused:
            open_database(path, tmp_path)
        assert "the file is unchanged" in refused.value.step
    with closing(sqlite3.connect(path)) as db:
        assert version(db) == 2
        assert ("table", "kept") in shape(db)
        assert ("table", "extra") not in shape(db)
        assert db.execute("SELECT value FROM meta").fetchall() == [("hookd 0.1.0",)]
    (tmp_path / "0003_bad.sql").write_text("CREATE TABLE extra (a TEXT);")
    with closing(open_database(path, tmp_path)) as db:
        assert version(db) == 3


def test_a_newer_database_is_refused_with_what_to_do(path: Path) -> None:
    old(path)
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version = 99")
    with pytest.raises(DatabaseError) as caught:
        open_database(path)
    assert str(caught.value) == (f"the database {path} was written by a newer hookd (version 99)")


def test_a_file_that_is_no_database_is_refused_and_left_alone(path: Path) -> None:
    path.parent.mkdir()
    garbage = b"this is no database, but it is somebody's text\n" * 100
    path.write_bytes(garbage)
    with pytest.raises(DatabaseError, match="cannot be read") as caught:
        open_database(path)
    assert str(path) in str(caught.value)
    assert path.read_bytes() == garbage


def test_a_database_of_somebody_else_is_refused_and_left_alone(path: Path) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE events (a TEXT)")
        before = shape(db)
    with pytest.raises(DatabaseError, match="already exists"):
        open_database(path)
    with closing(sqlite3.connect(path)) as db:
        assert shape(db) == before


def test_an_empty_file_becomes_a_database(path: Path) -> None:
    path.parent.mkdir()
    path.touch()
    with closing(open_database(path)) as db:
        assert version(db) >= 1


def test_a_place_where_no_file_can_be_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    for place in (tmp_path / "file" / "hookd.db", tmp_path / "folder"):
        with pytest.raises(DatabaseError, match="cannot be opened"):
            open_database(place)
