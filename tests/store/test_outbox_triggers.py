"""What fills the outbox: changes that are shown, and events, by the mode of the membership."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from sqlite3 import Connection

import pytest

from hookd.core.model.effects.efforts import EnterPhase
from hookd.core.model.effects.fleet import DropShipped, LeaveFleet
from hookd.core.model.effects.messages import SetAgentStatus
from hookd.core.model.effects.sessions import EndSession, SetBranch, SetHeartbeat, SetSessionStatus
from hookd.store import writes
from hookd.store.database import open_database
from hookd.store.facts.fleet import waiting
from hookd.store.outbox_triggers import SHOWN
from support.database_rows import AT, event, fill, session, write
from support.outbox import joined, member, rows


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Connection]:
    with member(tmp_path / "hookd.db") as (connection, _):
        yield connection


def test_a_host_in_no_fleet_has_no_trigger_and_no_row(tmp_path: Path) -> None:
    with closing(open_database(tmp_path / "hookd.db")) as db:
        fill(db)
        writes.record(db, event(1, session_id=1))
        assert rows(db) == []
        assert db.execute("SELECT * FROM sqlite_schema WHERE type = 'trigger'").fetchall() == []


def test_joining_sends_the_open_sessions(tmp_path: Path) -> None:
    with closing(open_database(tmp_path / "hookd.db")) as db:
        fill(db)
        write(db, [EndSession(4, "other"), joined()])
        assert rows(db) == [("session", 1), ("session", 2), ("session", 3)]
        write(db, [joined("decisions")])
        assert len(rows(db)) == 3, "they wait already"


@pytest.mark.parametrize("column", SHOWN)
def test_each_column_that_is_shown_sends_its_session(db: Connection, column: str) -> None:
    db.execute("UPDATE agents SET status = 'idle'")
    ((kind,),) = db.execute(
        "SELECT type FROM pragma_table_info('sessions') WHERE name = ?", (column,)
    )
    known = {"project_id": 2, "effort_id": 3, "owner": "idler", "parent_session_id": 2}
    value = known.get(column, "done" if column == "status" else 0.5 if kind == "REAL" else "new")
    db.execute(f"UPDATE sessions SET {column} = ? WHERE id = 1", (value,))
    assert rows(db) == [("session", 1)]
    db.execute("DELETE FROM outbox")
    db.execute(f"UPDATE sessions SET {column} = ? WHERE id = 1", (value,))
    assert rows(db) == [], "it is as it was"


def test_counters_and_times_send_nothing(db: Connection) -> None:
    write(db, [SetHeartbeat(1, 9, "Edit /work/b")])
    db.execute("UPDATE sessions SET last_event_at = 'x', transcript_offset = 7, pid = 4")
    assert rows(db) == []


def test_a_session_has_one_row_which_the_last_change_moves_to_the_end(db: Connection) -> None:
    write(db, [SetBranch(1, "main"), SetBranch(2, "main"), SetBranch(1, "topic")])
    assert rows(db) == [("session", 2), ("session", 1)]
    assert db.execute("SELECT max(seq) - min(seq) FROM outbox").fetchone() == (1,)


def test_a_phase_and_the_status_of_an_agent_send_the_open_sessions(db: Connection) -> None:
    write(db, [EndSession(3, "other")])
    db.execute("DELETE FROM outbox")
    write(db, [EnterPhase(2, "1: Work", None, None)])
    assert rows(db) == [("session", 2)]
    db.execute("DELETE FROM outbox")
    write(db, [SetAgentStatus("builder", "working", 1)])
    assert rows(db) == [("session", 2)]


def test_events_are_sent_in_the_modes_that_have_them(db: Connection) -> None:
    writes.record(db, event(1, session_id=1))
    writes.record(db, event(2, kind="canary"))
    assert rows(db) == [("event", 1), ("event", 2)]
    write(db, [joined("status")])
    db.execute("DELETE FROM outbox")
    writes.record(db, event(3, session_id=1))
    assert rows(db) == [("event", 1), ("event", 2)], "those of before are still sent"
    write(db, [DropShipped(0, 2), joined("events")])
    db.execute("DELETE FROM outbox")
    assert rows(db) == []
    writes.record(db, event(4, session_id=1))
    assert rows(db) == [("event", 4)]


def test_events_between_two_modes_are_not_sent(db: Connection) -> None:
    writes.record(db, event(1))
    write(db, [joined("status")])
    writes.record(db, event(2))
    write(db, [joined("decisions")])
    writes.record(db, event(3))
    write(db, [joined("events")])
    assert [row for row in rows(db) if row[0] == "event"] == [("event", 3)]
    assert db.execute("SELECT dropped FROM fleet_membership").fetchone() == (1,)


def test_events_that_wait_are_still_sent_when_the_mode_status_is_chosen_twice(
    db: Connection,
) -> None:
    writes.record(db, event(1))
    write(db, [joined("status")])
    writes.record(db, event(2))
    write(db, [joined("status", accept=("mail",))])
    assert [row for row in rows(db) if row[0] == "event"] == [("event", 1)]
    assert db.execute("SELECT dropped FROM fleet_membership").fetchone() == (0,)


def test_an_event_with_user_hooks_is_sent_when_it_is_settled(db: Connection) -> None:
    writes.record(db, event(1, session_id=1, pending=True))
    assert rows(db) == []
    writes.settle(db, event(1, decision="deny"), (), AT)
    assert rows(db) == [("event", 1)]
    writes.settle(db, event(1, decision="deny"), (), AT)
    assert rows(db) == [("event", 1)]


@pytest.mark.parametrize("passed", [True, False])
def test_a_settled_event_is_sent_once_before_or_after_those_around_it(
    db: Connection, passed: bool
) -> None:
    writes.record(db, event(1, pending=True))
    writes.record(db, event(2))
    if passed:
        write(db, [DropShipped(0, 2)])
    writes.settle(db, event(1), (), AT)
    assert rows(db) == [("event", 1), *([] if passed else [("event", 2)])]
    ((seq,),) = db.execute("SELECT seq FROM outbox").fetchall()
    write(db, [DropShipped(seq)])
    assert rows(db) == ([] if passed else [("event", 1), ("event", 2)]), "it keeps its place"
    assert waiting(db) == (0 if passed else 1)
    write(db, [DropShipped(seq, 2)])
    assert rows(db) == []


def test_a_row_is_undone_with_its_change(db: Connection) -> None:
    db.execute("BEGIN")
    writes.record(db, event(1, session_id=1))
    write(db, [session(9, "s9"), SetSessionStatus(1, "working", 1)])
    assert len(rows(db)) == 3
    db.execute("ROLLBACK")
    assert rows(db) == []


def test_leaving_drops_the_triggers_and_the_rows(db: Connection) -> None:
    writes.record(db, event(1, session_id=1))
    write(db, [LeaveFleet(announce=True)])
    writes.record(db, event(2, session_id=1))
    assert rows(db) == [("left", None), ("event", 1)]
    write(db, [LeaveFleet(announce=False)])
    assert rows(db) == []
    assert db.execute("SELECT count(*) FROM fleet_membership").fetchone() == (0,)


def test_the_mode_counts_in_which_a_late_event_was_recorded(db: Connection) -> None:
    writes.record(db, event(1, pending=True))
    writes.record(db, event(2, pending=True))
    write(db, [DropShipped(0, 2), joined("status")])
    writes.record(db, event(3, pending=True))
    writes.settle(db, event(1), (), AT)
    events = "SELECT row_id FROM outbox WHERE kind = 'event'"
    assert db.execute(events).fetchall() == [(1,)]
    write(db, [joined("decisions")])
    for number in (2, 3):
        writes.settle(db, event(number), (), AT)
    assert db.execute(events).fetchall() == [(1,)]


def test_an_event_from_before_the_host_joined_is_not_sent_however_late_it_ends(
    tmp_path: Path,
) -> None:
    with closing(open_database(tmp_path / "other.db")) as other:
        writes.record(other, event(1, pending=True))
        write(other, [joined("decisions")])
        writes.settle(other, event(1), (), AT)
        assert rows(other) == []
