"""Requests that wait, in the database: one end each, and the decision in the event."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest

from hookd.store.writes import approvals
from hookd.store.writes.approvals import Decided, End
from support.paths import ROOT

AT = "2026-01-31T08:00:00.000Z"
LATER = "2026-01-31T08:00:09.000Z"
REQUEST = {
    "event_id": 1,
    "tool": "Bash",
    "text": "touch x",
    "input_json": '{"command": "touch x"}',
    "risk_json": '{"kind": "delete"}',
    "asked_at": AT,
    "until": LATER,
}


@pytest.fixture
def db() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript((ROOT / "schema.sql").read_text("utf-8"))
        db.execute("INSERT INTO events (at, event, payload) VALUES ('', 'PermissionRequest', '')")
        yield db


def test_a_request_is_stored_as_the_wire_shows_it(db: sqlite3.Connection) -> None:
    row = approvals.add(db, REQUEST)
    assert row["id"] == 1
    assert (row["input"], row["risk"]) == ({"command": "touch x"}, {"kind": "delete"})
    assert (row["status"], row["answeredAt"]) == ("pending", None)


def test_a_request_ends_once(db: sqlite3.Connection) -> None:
    number = approvals.add(db, REQUEST)["id"]
    said = "with AKIA" + "Q3EGRIWNXQMTVZ2P"
    row = approvals.end(db, number, End("denied", said, "anna, pts/3"), LATER)
    assert row is not None
    assert (row["status"], row["answeredBy"], row["answeredAt"]) == ("denied", "anna, pts/3", LATER)
    assert "AKIAQ" not in row["message"]
    assert approvals.end(db, number, End("expired"), LATER) is None
    assert approvals.end_abandoned(db, LATER) == 0


def test_what_a_killed_daemon_left_ends(db: sqlite3.Connection) -> None:
    number = approvals.add(db, REQUEST)["id"]
    assert approvals.end_abandoned(db, LATER) == 1
    (status,) = db.execute("SELECT status FROM approvals WHERE id = ?", (number,)).fetchone()
    assert status == "ended"


@pytest.mark.parametrize("before", [None, '{"opinions": [{"rule": "x"}]}'])
def test_a_decision_is_an_opinion_of_its_event(db: sqlite3.Connection, before: str | None) -> None:
    db.execute("UPDATE events SET facts_json = ?", (before,))
    approvals.decide(db, 1, Decided("deny", "approvals", "Not there.", '{"a": 1}', "{}"))
    decision, facts = db.execute("SELECT decision, facts_json FROM events").fetchone()
    assert decision == "deny"
    last = json.loads(facts)["opinions"][-1]
    assert last == {"rule": "approvals", "verdict": "deny", "reason": "Not there."}


@pytest.mark.parametrize("before", [None, '{"opinions": [{"rule": "x"}]}'])
def test_a_note_decides_nothing(db: sqlite3.Connection, before: str | None) -> None:
    db.execute("UPDATE events SET facts_json = ?", (before,))
    approvals.note(db, 1, "approvals", "not held")
    decision, facts = db.execute("SELECT decision, facts_json FROM events").fetchone()
    assert decision is None
    assert json.loads(facts)["opinions"][-1] == {"rule": "approvals", "reason": "not held"}


def test_finding_them_takes_an_index(db: sqlite3.Connection) -> None:
    for where in ("status = 'pending'", "event_id = 1", "session_id = 1", "asked_at < 'x'"):
        plan = db.execute(f"EXPLAIN QUERY PLAN SELECT id FROM approvals WHERE {where}")
        assert all("USING" in row[3] for row in plan), where
