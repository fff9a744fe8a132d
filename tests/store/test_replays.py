"""The store of a replay: events of the sessions of a window, and a database that forgets."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from sqlite3 import Connection

import pytest

from hookd.core.hook_rules.model import Hook, HookExecution, HookRun, Source
from hookd.core.model.effects.messages import AddAllowance, AddMessage, Trust
from hookd.core.model.verdict import Opinion
from hookd.store import writes
from hookd.store.database import DatabaseError, open_database
from hookd.store.replays import (
    NO_ROWS,
    EventRow,
    ReplayDatabase,
    event_row,
    lasting_rows,
    open_recorded,
    session_events,
)
from support.database_rows import event, fill, guard, session, write

EARLY, LATE = "2026-01-01T08:00:00.000Z", "2026-01-31T08:00:00.000Z"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "hookd.db"


@pytest.fixture
def db(path: Path) -> Iterator[Connection]:
    with closing(open_database(path)) as db:
        yield db


def store(db: Connection, number: int, conversation: str, at: str, **more: object) -> None:
    row = (10 + int(conversation[-1])) if conversation else None
    given = {"claude_session_id": conversation or None, "session_id": row, "at": at} | more
    writes.record(db, event(number, **given))


def test_the_events_of_sessions_in_the_window_from_their_first_one_on(db: Connection) -> None:
    write(db, [session(10 + number, f"s{number}") for number in (1, 2, 3)])
    store(db, 1, "s1", EARLY)
    store(db, 2, "s2", EARLY)
    store(db, 3, "s3", EARLY)
    store(db, 4, "s2", LATE)
    store(db, 5, "s2", LATE, kind="canary")
    store(db, 6, "", LATE)
    assert list(session_events(db, LATE)) == [(2, "s2", 0), (3, "s3", 0), (4, "s2", 1), (6, "", 1)]
    assert list(session_events(db, "2027")) == []


def test_a_row_has_its_session_and_its_hooks(db: Connection) -> None:
    fill(db)
    row = event(1, session_id=1, decision="ask", rule="lint", resolved='{"a":true}')
    writes.record(db, row)
    hook = Hook("lint", "PreToolUse", "command", Source("user", "/s", "k"))
    behind = Hook("behind", "PreToolUse", "command", Source("user", "/s", "k"), background=True)
    runs = [HookRun(HookExecution(hook), Opinion("ask")), HookRun(HookExecution(behind))]
    writes.settle(db, row, runs, LATE)
    found = event_row(db, 1)
    assert isinstance(found, EventRow)
    assert (found.decision, found.decided_by, found.resolved) == ("ask", "lint", '{"a":true}')
    assert found.hooks == (("lint", "ask"),)
    assert event_row(db, 2) is None


def test_lasting_rows_become_the_rows_of_each_session(db: Connection) -> None:
    fill(db)
    write(db, [guard(50, "no-push"), Trust("/work", "digest")])
    write(db, [AddAllowance("self-guard", "key", "Bash", "ls", "/work", 7, None)], LATE)
    write(db, [AddMessage(1, 1, "log", "Done.")], LATE)
    rows = lasting_rows(db)
    assert rows.trusted == {"/work": "digest"}
    (conversation,) = rows.logged
    replay = ReplayDatabase(rows)
    count = "SELECT count(*) FROM {}"
    replay.begin(conversation)
    write(replay.db, [session(1, conversation)])
    replay.db.execute("UPDATE sessions SET heartbeat_counter = 5")
    replay.advance(EARLY)
    assert replay.db.execute(count.format("allowances")).fetchone() == (0,)
    replay.advance(LATE)
    assert replay.db.execute(count.format("allowances")).fetchone() == (1,)
    assert replay.db.execute("SELECT heartbeat_counter FROM sessions").fetchone() == (0,)
    replay.record(9, LATE, "Stop", 1)
    replay.end()
    for table in ("allowances", "sessions", "events"):
        assert replay.db.execute(count.format(table)).fetchone() == (0,)
    names = {name for (name,) in replay.db.execute("SELECT name FROM guards")}
    assert "no-push" in names
    replay.close()


def test_rules_are_added_replaced_and_removed() -> None:
    replay = ReplayDatabase(NO_ROWS)
    replay.add_rule("a", "1", None)
    replay.add_rule("a", "2", None)
    replay.add_rule("a", "3", "/work/shop")
    found = replay.db.execute("SELECT name, scope, project_id, rule_json FROM guards ORDER BY id")
    assert found.fetchall() == [("a", "user", None, "2"), ("a", "project", 1, "3")]
    assert (replay.remove_rule("a"), replay.remove_rule("a")) == (2, 0)
    replay.close()


def test_a_database_of_another_version_is_refused(db: Connection, path: Path) -> None:
    open_recorded(path).close()
    for version, said in ((99, "newer hookd"), (3, "of an older hookd")):
        db.execute(f"PRAGMA user_version = {version}")
        with pytest.raises(DatabaseError, match=said):
            open_recorded(path)


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "hookd.db"
    path.write_bytes(b"no database" * 500)
    with pytest.raises(DatabaseError, match="cannot be read"):
        open_recorded(path)
    with pytest.raises(DatabaseError, match="cannot be read"):
        open_recorded(tmp_path / "gone.db")
