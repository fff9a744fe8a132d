"""The file that users open with sqlite3: everything in it is explained, every view can be read."""

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from sqlite3 import Connection, IntegrityError

import pytest

from hookd.core.hook_rules.model import Hook, HookExecution, HookRun, Source
from hookd.core.model.effects.fleet import JoinFleet
from hookd.core.model.effects.mail import SendMail
from hookd.core.model.effects.messages import AddAllowance, AddMessage
from hookd.core.model.effects.sessions import SetContextUsage, SetSessionStatus
from hookd.core.model.effects.work_items import AddWorkItem
from hookd.store import writes
from hookd.store.counts import count_next
from hookd.store.database import SCHEMA, open_database
from hookd.store.writes import approvals
from support.database_rows import AT, event, fill, session, write

TEXT = SCHEMA.read_text("utf-8")
MADE = re.findall(r"^CREATE (TABLE|VIEW) (\w+)[^\n]*\n( *--[^\n]*)?", TEXT, re.MULTILINE)
NAMES = [name for _, name, _ in MADE]
VIEWS = [name for kind, name, _ in MADE if kind == "VIEW"]


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Connection]:
    with closing(open_database(tmp_path / "hookd.db")) as connection:
        yield connection


@pytest.mark.parametrize(("kind", "name", "comment"), MADE, ids=NAMES)
def test_every_table_and_view_begins_with_what_a_row_is(kind: str, name: str, comment: str) -> None:
    assert re.fullmatch(r" *-- .+[.']", comment), f"{kind} {name} has no comment"


def test_the_comments_are_in_the_database_too(db: Connection) -> None:
    made = dict(
        db.execute(
            "SELECT name, sql FROM sqlite_master WHERE type IN ('table', 'view')"
            " AND name NOT LIKE 'sqlite_%'"
        ).fetchall()
    )
    assert sorted(made) == sorted(NAMES)
    assert all("--" in sql for sql in made.values())


@pytest.mark.parametrize("name", VIEWS)
def test_every_view_can_be_read(name: str, db: Connection) -> None:
    empty = db.execute(f"SELECT * FROM {name}").fetchall()
    assert empty == []
    fill(db)
    write(db, [AddMessage(1, 1, "user", "Add pages")])
    write(db, [AddAllowance("self-guard", "key", "Bash", "hookd restart", "/work", 7, None)])
    writes.record(db, event(1, session_id=1))
    hook = Hook("lint", "Stop", "command", Source("user", "/s", "k"))
    said = '{"opinions": [{"rule": "careful", "verdict": "ask"}]}'
    more = {"decision": "ask", "facts": said, "duration_us": 700, "stages": '{"parse":30}'}
    settled = event(1, session_id=1, **more)
    writes.settle(db, settled, [HookRun(HookExecution(hook, exit_code=0))], AT)
    write(db, [SetContextUsage(1, 0.4, "rpc", 0.25)])
    count_next(db, 1, 10)
    request = {"event_id": 1, "tool": "Bash", "text": "ls", "input_json": "{}"}
    approvals.add(db, {**request, "asked_at": AT, "until": AT})
    write(db, [SendMail("builder", "agent", "session", "session 1", "Hi", ("plain",))])
    write(db, [AddWorkItem(1, 1, "Parse", None, None, "person")])
    write(db, [JoinFleet("acme", "ann", "decisions", (), "e1", ())])
    writes.record(db, event(2))
    assert db.execute(f"SELECT * FROM {name}").fetchall() != []


def test_a_view_for_people_says_who_does_what(db: Connection) -> None:
    fill(db)
    rows = db.execute("SELECT agent, status, skill, session_id FROM fleet_status ORDER BY agent")
    assert rows.fetchall() == [
        ("builder", "idle", "implement", 2),
        ("idler", "idle", None, None),
        ("session 1", "idle", "implement", 1),
        ("session 4", "idle", None, 4),
    ]


def test_who_was_not_heard_of_for_five_minutes_and_waits_for_nobody_is_quiet(
    db: Connection,
) -> None:
    fill(db)
    for number, status in enumerate(("error", "attention", "working", "checked", "done"), 20):
        write(db, [session(number, f"s{number}"), SetSessionStatus(number, status, 1)])
    heard = "UPDATE sessions SET last_event_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')"
    db.execute(f"{heard} WHERE id = 4")
    rows = db.execute("SELECT status, quiet FROM fleet_status WHERE kind = 'session'").fetchall()
    assert sorted(set(rows)) == [
        ("attention", 0),
        ("checked", 1),
        ("done", 1),
        ("error", 0),
        ("idle", 0),
        ("idle", 1),
        ("working", 0),
    ]
    assert set(db.execute("SELECT quiet FROM fleet_status WHERE kind = 'agent'")) == {(1,)}


def test_every_table_is_strict(db: Connection) -> None:
    loose = db.execute(
        "SELECT name FROM pragma_table_list WHERE type = 'table' AND NOT strict"
        " AND name NOT LIKE 'sqlite_%'"
    )
    assert loose.fetchall() == []


def test_every_reference_is_kept_in_order_when_a_row_goes(db: Connection) -> None:
    fill(db)
    for table in ("projects", "tasks", "efforts", "agents", "sessions"):
        db.execute(f"DELETE FROM {table}")
    assert db.execute("PRAGMA foreign_key_check").fetchall() == []
    assert db.execute("SELECT name FROM guards").fetchall() == [("everywhere",)]


def test_every_column_of_a_time_takes_the_time_as_it_is_written_everywhere(db: Connection) -> None:
    fill(db)
    rows = db.execute("SELECT created_at, last_event_at FROM sessions").fetchall()
    assert set(rows) == {(AT, AT)}


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO sessions (id, claude_session_id, source, created_at, last_event_at,"
        " project_id) VALUES (9, 's', 'startup', 'x', 'x', 99)",
        "INSERT INTO efforts (id, task_dir, skill, ordinal, created_at)"
        " VALUES (9, '/nowhere', 's', 1, 'x')",
        "UPDATE efforts SET lifecycle = 'paused'",
        "UPDATE agents SET status = 'asleep'",
        "INSERT INTO guards (name, scope, rule_json, created_at)"
        " VALUES ('everywhere', 'user', '{}', 'x')",
        "INSERT INTO projects (path, name, created_at) VALUES ('/work/orders', 'x', 'x')",
        "UPDATE sessions SET heartbeat_counter = 'many'",
    ],
)
def test_a_row_that_cannot_be_is_refused(statement: str, db: Connection) -> None:
    fill(db)
    with pytest.raises(IntegrityError):
        db.execute(statement)


def test_the_views_of_latency_show_the_stages_and_the_percentiles(db: Connection) -> None:
    stages = '{"parse":30,"policies":500,"user_hooks":9,"policy":["self-guard",74]}'
    for number in range(1, 101):
        took = {"duration_us": number * 10, "stages": stages}
        writes.record(db, event(number, "PreToolUse", tool_name="Bash", **took))
    writes.record(db, event(101, "Stop"))  # of an older hookd
    sql = (
        "SELECT id, duration_us, parse_us, facts_us, policies_us, user_hooks_us, policy, policy_us"
        " FROM {} LIMIT 1"
    )
    for view in ("event_latency", "recent_latency"):
        newest = db.execute(sql.format(view)).fetchall()
        assert newest == [(100, 1000, 30, None, 500, 9, "self-guard", 74)]
    assert db.execute("SELECT * FROM latency_overview").fetchall() == [
        ("PreToolUse", "Bash", 100, 500, 950, 990, 1000)
    ]


def test_the_last_latencies_are_found_without_reading_all_events(db: Connection) -> None:
    for view in ("recent_latency", "latency_overview"):
        plan = db.execute(f"EXPLAIN QUERY PLAN SELECT * FROM {view}").fetchall()
        assert not [step for *_, step in plan if step.startswith("SCAN events")], view
