"""Deleting a session's rows: how much SQLite reads for that."""

from collections.abc import Iterator
from pathlib import Path
from sqlite3 import Connection

import pytest

from hookd.store.database import open_database
from hookd.store.writes.forget import forget

AT = "2026-01-31T08:00:00.000Z"
SESSION = (
    "INSERT INTO sessions (id, claude_session_id, agent_id, parent_session_id, source, created_at,"
    " last_event_at) VALUES (?, 's', ?, ?, 'seen', ?1, ?1)"
).replace("?1", f"'{AT}'")
INJECTION = (
    "INSERT INTO injections (session_id, source, content, created_at)"
    f" VALUES (1000, 'rule', 'text', '{AT}')"
)
OTHERS = 5_000


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Connection]:
    db = open_database(tmp_path / "hookd.db")
    db.execute("BEGIN")
    db.execute(SESSION, (1000, None, None))
    db.executemany(INJECTION, [()] * OTHERS)
    yield db
    db.close()


def steps(db: Connection, session: int) -> int:
    """Return the thousands of SQLite's instructions that forgetting a session takes."""
    count = 0

    def note() -> int:
        nonlocal count
        count += 1
        return 0

    db.set_progress_handler(note, 1_000)
    forget(db, session)
    db.set_progress_handler(None, 0)
    return count


def test_rows_of_others_are_not_read_again_for_each_subagent(db: Connection) -> None:
    db.execute(SESSION, (1, None, None))
    db.executemany(SESSION, [(number, f"a{number}", 1) for number in range(2, 102)])
    before = db.execute("SELECT name FROM sqlite_schema ORDER BY 1").fetchall()
    assert steps(db, 1) < 100 * OTHERS / 1_000
    assert db.execute("SELECT id FROM sessions").fetchall() == [(1000,)]
    assert db.execute("SELECT count(*) FROM injections").fetchone() == (OTHERS,)
    assert db.execute("SELECT name FROM sqlite_schema ORDER BY 1").fetchall() == before
