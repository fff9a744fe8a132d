"""Sessions: filters and pages, one of them, and the rows of its time line."""

from pathlib import Path
from sqlite3 import Connection

import pytest

from hookd.store.browse import sessions
from hookd.store.browse.sessions import SessionFilter
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


def test_a_session_without_events_has_an_empty_time_line(tmp_path: Path) -> None:
    found = read(database(tmp_path / "hookd.db"), lambda db: sessions.time_line(db, 4))
    assert (found.events, found.messages, found.before) == ([], [], None)
