"""Writing permission requests that wait for a person: each request, its answer, and its end."""

import json
import sqlite3
from typing import Any

from hookd.core.model.method import Rows
from hookd.core.model.row_shapes import row_objects
from hookd.lazy_dataclass import dataclass
from hookd.redaction.redact import redact, redact_json
from hookd.store.writes.statements import columns

_END = (
    "UPDATE approvals SET status = ?, answered_by = ?, answered_at = ?, message = ?"
    " WHERE id = ? AND status = 'pending'"
)
_DECIDE = "UPDATE events SET decision = ?, decided_by = ?, answer = ?, result = ? WHERE id = ?"
_ADD_OPINION = (
    "UPDATE events SET"
    " facts_json = CASE WHEN facts_json IS NULL THEN json_object('opinions', json_array(json(?1)))"
    " ELSE json_insert(facts_json, '$.opinions[#]', json(?1)) END WHERE id = ?2"
)


@dataclass(frozen=True, slots=True)
class End:
    """How a request ended: `status` as in the schema, `by` the person, None without one."""

    status: str
    message: str | None = None
    by: str | None = None


@dataclass(frozen=True, slots=True)
class Decided:
    """The decision of a person on an event; `answer` and `result` are JSON texts."""

    verdict: str
    rule: str
    reason: str
    answer: str
    result: str


def add(db: sqlite3.Connection, values: dict[str, Any]) -> dict[str, Any]:
    """Store a request by its columns; return its row as the wire shows it."""
    sql, args = columns("approvals", values)
    number = db.execute(sql, args).lastrowid
    return _row(db, number or 0)


def end(db: sqlite3.Connection, number: int, how: End, at: str) -> dict[str, Any] | None:
    """Store how a pending request ended; return its row, None if it had ended before."""
    message = redact(how.message) if how.message else None
    changed = db.execute(_END, (how.status, how.by, at, message, number)).rowcount
    return _row(db, number) if changed else None


def correct(db: sqlite3.Connection, number: int, how: End) -> dict[str, Any]:
    """Store what became of a request that was answered; return its row."""
    sql = "UPDATE approvals SET status = ?, message = ? WHERE id = ?"
    db.execute(sql, (how.status, how.message, number))
    return _row(db, number)


def decide(db: sqlite3.Connection, event_id: int, said: Decided) -> None:
    """Store the answer of an event that a person decided."""
    reason = {"reason": redact(said.reason)} if said.reason else {}
    opinion = json.dumps({"rule": said.rule, "verdict": said.verdict, **reason})
    answer, result = redact_json(said.answer), redact_json(said.result)
    db.execute(_DECIDE, (said.verdict, said.rule, answer, result, event_id))
    db.execute(_ADD_OPINION, (opinion, event_id))


def note(db: sqlite3.Connection, event_id: int, rule: str, text: str) -> None:
    """Store a comment on an event, which decides nothing: why its request does not wait."""
    db.execute(_ADD_OPINION, (json.dumps({"rule": rule, "reason": redact(text)}), event_id))


def end_abandoned(db: sqlite3.Connection, at: str) -> int:
    """End the requests that a daemon left pending when it was killed; return how many."""
    sql = (
        "UPDATE approvals SET status = 'ended', answered_at = ?, message = 'the daemon was killed'"
        " WHERE status = 'pending'"
    )
    return db.execute(sql, (at,)).rowcount


def _row(db: sqlite3.Connection, number: int) -> dict[str, Any]:
    """Return a request as approvals.list does."""
    found = db.execute("SELECT * FROM approval_overview WHERE id = ?", (number,))
    names = tuple(column[0] for column in found.description)
    (row,) = row_objects(Rows(names, tuple(map(tuple, found))))
    return row
