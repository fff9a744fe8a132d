"""Sessions: filters and pages, one of them, and the rows of its time line."""

from pathlib import Path
from sqlite3 import Connection

import pytest

from hookd.core.model.effects.sessions import SaveHandover, SetContextUsage
from hookd.events.context_usage import Usage
from hookd.store import transcripts, writes
from hookd.store.browse import sessions
from hookd.store.browse.sessions import SessionFilter
from hookd.store.writes import approvals
from support.browse_rows import called, database, denied, read, recorded
from support.database_rows import session, write


def prompts(db: Connection) -> None:
    db.execute("UPDATE sessions SET first_prompt = '100 % of a_b' WHERE id = 1")
    db.execute("UPDATE sessions SET ended_at = '2026-02-01T00:00:00.000Z' WHERE id = 4")


@pytest.fixture(scope="module")
def some(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return database(tmp_path_factory.mktemp("sessions") / "hookd.db", prompts)


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (SessionFilter(), [4, 2, 1]),
        (SessionFilter(subagents=True), [4, 3, 2, 1]),
        (SessionFilter(agent="builder"), [2]),
        (SessionFilter(project="/work/orders"), [2, 1]),
        (SessionFilter(project="/nowhere"), []),
        (SessionFilter(open=True), [2, 1]),
        (SessionFilter(open=False), [4]),
        (SessionFilter(text="% of A_B"), [1]),
        (SessionFilter(text="0_%"), []),
        (SessionFilter(task="/work/orders/pagination"), [2, 1]),
        (SessionFilter(status="working"), []),
    ],
)
def test_filters_select_sessions(some: Path, wanted: SessionFilter, expected: list[int]) -> None:
    page = read(some, lambda db: sessions.page(db, wanted))
    assert [row["id"] for row in page.rows] == expected
    assert page.before is None


def test_pages_have_every_session_once(tmp_path: Path) -> None:
    def more(db: Connection) -> None:
        write(db, [session(number, f"s{number}") for number in range(5, 12)])

    path, seen, before = database(tmp_path / "hookd.db", more), [], None
    while True:
        page = read(path, lambda db, at=before: sessions.page(db, SessionFilter(), at, 4))
        seen += [row["id"] for row in page.rows]
        before = page.before
        if before is None:
            break
    assert seen == [11, 10, 9, 8, 7, 6, 5, 4, 2, 1]


def test_one_session_has_its_subagents_and_its_handover(tmp_path: Path) -> None:
    found = read(database(tmp_path / "hookd.db"), lambda db: sessions.one(db, 2))
    assert found is not None
    assert found["handover"] == {"summary": "Half of it"}
    assert [one["id"] for one in found["subagents"]] == [3]
    assert found["next"] == []


def test_the_next_sessions_of_a_conversation_are_known(tmp_path: Path) -> None:
    path = database(
        tmp_path / "hookd.db", lambda db: write(db, [session(5, "plain", prev_session_id=1)])
    )
    found = read(path, lambda db: sessions.one(db, 1))
    assert found is not None
    assert found["next"] == [5]


def test_there_is_no_such_session(tmp_path: Path) -> None:
    assert read(database(tmp_path / "hookd.db"), lambda db: sessions.one(db, 99)) is None


def lines(db: Connection) -> None:
    """Add a message, an injection that went out with event 3, and a hook run on it."""
    db.execute(
        "INSERT INTO messages (session_id, role, content, timestamp) VALUES"
        " (1, 'user', 'first', '2026-01-31T08:01:00.000Z'),"
        " (1, 'user', 'second', '2026-01-31T08:03:30.000Z')"
    )
    db.execute(
        "INSERT INTO injections (session_id, source, content, created_at, offered_at, offered_by)"
        " VALUES (1, 'rules', 'Mind it.', '2026-01-31T08:00:00.000Z', '2026-01-31T08:03:00.000Z',"
        " 3)"
    )
    db.execute(
        "INSERT INTO hook_runs (event_id, hook_id, duration_ms, created_at) VALUES"
        " (3, 'lint', 2.0, '2026-01-31T08:03:00.000Z')"
    )


def test_a_time_line_has_pages_each_with_what_belongs_to_its_events(tmp_path: Path) -> None:
    events = [called(number, 1) for number in range(1, 4)] + [called(4, 2), denied(5, 1)]
    path = database(tmp_path / "hookd.db", recorded(*events), lines)
    last = read(path, lambda db: sessions.time_line(db, 1, limit=2))
    assert [row["id"] for row in last.events] == [3, 5]
    assert [row["content"] for row in last.messages] == ["second"]
    assert [row["content"] for row in last.injections] == ["Mind it.", "Mind the tests."]
    assert [row["hook"] for row in last.hook_runs] == ["lint"]
    assert last.events[1]["text"] == "rm -rf /"
    assert last.events[1]["facts"]["opinions"][0]["verdict"] == "deny"
    assert last.before == 3
    first = read(path, lambda db: sessions.time_line(db, 1, before=3))
    assert [row["id"] for row in first.events] == [1, 2]
    assert [row["content"] for row in first.messages] == ["first"]
    assert (first.injections, first.hook_runs, first.before) == ([], [], None)


def test_a_change_of_context_by_a_percent_is_recorded_once(tmp_path: Path) -> None:
    def use(db: Connection) -> None:
        changes = [("08:01", 0.101), ("08:02", 0.109), ("08:03", 0.2), ("08:04", 0.05)]
        for minute, usage in changes:
            at = f"2026-01-31T{minute}:00.000Z"
            write(db, [SetContextUsage(1, usage, "statusline", 0.5)], at)
        compacted = session(9, "plain", prev_session_id=1, source="compact")
        write(db, [compacted, SetContextUsage(9, 0.1, "event")], "2026-01-31T08:05:00.000Z")
        write(db, [SaveHandover(9, "{}")], "2026-01-31T08:06:00.000Z")

    path = database(tmp_path / "hookd.db", use)
    history, marks = read(path, lambda db: sessions.context_history(db, 1))
    assert [(row["at"][11:16], row["usage"]) for row in history] == [
        ("08:01", 0.101), ("08:03", 0.2), ("08:04", 0.05), ("08:05", 0.1),
    ]  # fmt: skip
    assert [(at[11:16], kind) for at, _, kind in marks] == [
        ("08:05", "compaction"), ("08:06", "handover"),
    ]  # fmt: skip


def test_usage_that_a_transcript_reports_has_the_time_of_the_last_event(tmp_path: Path) -> None:
    def use(db: Connection) -> None:
        db.execute("UPDATE sessions SET model = 'claude-opus-5' WHERE id = 1")
        writes.record(db, called(7, 1))
        usage = Usage(50_000, "claude-opus-5")
        assert transcripts.measure(db, 1, usage, own=False, chosen=200_000)
        assert not transcripts.measure(db, 1, usage, own=False, chosen=200_000)

    path = database(tmp_path / "hookd.db", use)
    history, _ = read(path, lambda db: sessions.context_history(db, 1))
    assert history == [{"at": "2026-01-31T08:07:00.000Z", "usage": 0.25}]


def test_a_held_request_is_in_the_time_line(tmp_path: Path) -> None:
    def held(db: Connection) -> None:
        request = {"event_id": 1, "session_id": 1, "tool": "Bash", "text": "make"}
        at = {"asked_at": "2026-01-31T08:01:00.000Z", "until": "2026-01-31T08:02:00.000Z"}
        approvals.add(db, {**request, **at, "input_json": "{}"})

    path = database(tmp_path / "hookd.db", recorded(called(1, 1)), held)
    found = read(path, lambda db: sessions.time_line(db, 1))
    assert [(row["text"], row["status"]) for row in found.approvals] == [("make", "pending")]


def test_a_session_without_events_has_an_empty_time_line(tmp_path: Path) -> None:
    found = read(database(tmp_path / "hookd.db"), lambda db: sessions.time_line(db, 4))
    assert (found.events, found.messages, found.before) == ([], [], None)
