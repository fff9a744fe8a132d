"""Queries of the maintenance loop: old rows, open sessions, notifications, missed events."""

import json
import sqlite3
from collections.abc import Iterable
from datetime import datetime
from typing import Literal

from hookd.core.evaluation.unjudged import Missed
from hookd.core.model.facts import iso
from hookd.lazy_dataclass import dataclass
from hookd.redaction.redact import redact

_KEPT_EVENTS = 1_000
"""Latest events that are never deleted: event numbers continue from the last one."""

_OLD_EVENTS = (
    "SELECT id FROM events WHERE at < :before"
    " AND id <= (SELECT max(id) FROM events) - :newest ORDER BY at LIMIT :batch"
)
_NOTE_UNSENT = (
    "UPDATE fleet_membership SET dropped = dropped"  # noqa: S608 - constants
    f" + (SELECT count(*) FROM unsent_events WHERE id IN ({_OLD_EVENTS}))"
)
_DELETE_OLD = (
    f"DELETE FROM events WHERE id IN ({_OLD_EVENTS})",  # noqa: S608
    (
        "DELETE FROM messages WHERE id IN (SELECT id FROM messages"
        " WHERE timestamp < :before ORDER BY timestamp LIMIT :batch)"
    ),
    (
        "DELETE FROM injections WHERE id IN (SELECT i.id FROM injections i JOIN sessions s"
        " ON s.id = i.session_id WHERE i.created_at < :before AND s.ended_at IS NOT NULL"
        " ORDER BY i.created_at LIMIT :batch)"
    ),
    (
        "DELETE FROM agent_mail WHERE id IN (SELECT id FROM agent_mail WHERE created_at < :before"
        " AND state NOT IN ('waiting', 'held') ORDER BY created_at LIMIT :batch)"
    ),
    (
        "DELETE FROM policy_state WHERE (session_id, policy) IN (SELECT session_id, policy"
        " FROM policy_state WHERE updated_at < :before ORDER BY updated_at LIMIT :batch)"
    ),
    (
        "DELETE FROM unjudged WHERE id IN (SELECT id FROM unjudged"
        " WHERE last_at < :before ORDER BY last_at LIMIT :batch)"
    ),
    (
        "DELETE FROM allowances WHERE id IN (SELECT id FROM allowances"
        " WHERE until < :before ORDER BY until LIMIT :batch)"
    ),
    (
        "DELETE FROM context_history WHERE (session_id, at) IN (SELECT session_id, at"
        " FROM context_history WHERE at < :before ORDER BY at LIMIT :batch)"
    ),
    (
        "DELETE FROM hook_runs WHERE id IN (SELECT id FROM hook_runs"
        " WHERE created_at < :before ORDER BY created_at LIMIT :batch)"
    ),
    (
        "DELETE FROM claims WHERE id IN (SELECT id FROM claims"
        " WHERE released_at < :before ORDER BY released_at LIMIT :batch)"
    ),
    (
        "DELETE FROM file_views WHERE (conversation, call, path) IN"
        " (SELECT conversation, call, path FROM file_views WHERE at < :before ORDER BY at"
        " LIMIT :batch)"
    ),
    (
        "DELETE FROM approvals WHERE id IN (SELECT id FROM approvals"
        " WHERE asked_at < :before ORDER BY asked_at LIMIT :batch)"
    ),
    (
        "DELETE FROM own_calls WHERE id IN (SELECT id FROM own_calls"
        " WHERE at < :before ORDER BY at LIMIT :batch)"
    ),
    (
        "DELETE FROM work_items WHERE id IN (SELECT id FROM work_items WHERE done_at < :before"
        " AND id < (SELECT max(id) FROM work_items) ORDER BY done_at LIMIT :batch)"
    ),
)
"""Each finds its rows by an index: a table scan would delay the answers to events."""


def delete_old_rows(db: sqlite3.Connection, before: datetime, batch: int = 500) -> int:
    """Delete rows from before that time, at most `batch` of each table. Return how many.

    Sessions, efforts and tasks are kept: they are few, and a record of the work. Events that wait
    for the central store of a fleet are counted as dropped.
    """
    args = {"before": iso(before), "newest": _KEPT_EVENTS, "batch": batch}
    db.execute(_NOTE_UNSENT, args)
    return sum(max(0, db.execute(sql, args).rowcount) for sql in _DELETE_OLD)


@dataclass(frozen=True, slots=True)
class OpenWindow:
    """A session that has not ended: `pid` is its client's process, None if unknown.

    `seen`: that process was found alive before.
    """

    id: int
    owner: str | None
    pid: int | None
    begun: datetime
    heard: datetime
    seen: bool


def open_windows(db: sqlite3.Connection) -> tuple[OpenWindow, ...]:
    """Return the open sessions, without subagents of an open one, the oldest first."""
    rows = db.execute(
        "SELECT s.id, iif(s.agent_id IS NULL, s.owner, NULL), s.pid, s.created_at, s.last_event_at,"
        " s.process_seen FROM sessions s WHERE s.ended_at IS NULL AND (s.agent_id IS NULL"
        " OR NOT EXISTS (SELECT 1 FROM sessions p WHERE p.id = s.parent_session_id"
        "  AND p.ended_at IS NULL)) ORDER BY s.id"
    )
    return tuple(
        OpenWindow(number, owner, pid, _time(begun), _time(heard), bool(seen))
        for number, owner, pid, begun, heard, seen in rows
    )


def left_working(db: sqlite3.Connection, before: datetime) -> tuple[str, ...]:
    """Return the agents that are `working` since before that time without an open session."""
    rows = db.execute(
        "SELECT id FROM agents WHERE status = 'working' AND status_at < ? AND NOT EXISTS"
        " (SELECT 1 FROM sessions s WHERE s.owner = agents.id AND s.ended_at IS NULL)",
        (iso(before),),
    )
    return tuple(name for (name,) in rows)


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text)


_STATE = (
    "SELECT e.decision, e.pending, s.ended_at, a.tmux_socket, a.tmux_pane, a.tmux_server, s.owner,"
    " EXISTS (SELECT 1 FROM events l WHERE l.session_id = e.session_id AND l.id > e.id"
    "  AND l.event IN (SELECT value FROM json_each(?2)))"
    " FROM events e JOIN sessions s ON s.id = e.session_id LEFT JOIN agents a ON a.id = s.owner"
    " WHERE e.id = ?1"
)


@dataclass(frozen=True, slots=True)
class Terminal:
    """Where an agent runs: a pane of a tmux server, and that server's process if it is known."""

    agent: str
    socket: str
    pane: str
    server: int | None


@dataclass(frozen=True, slots=True)
class NotificationState:
    """State of a session since an event.

    `open`: user hooks still run on the event. `over`: the session continued, or has ended.
    """

    how: Literal["quiet", "open", "over"]
    terminal: Terminal | None = None


def notification_state(
    db: sqlite3.Connection, event: int, unless: Iterable[str]
) -> NotificationState:
    """Return the state of an event's session; `over` if the event is not stored."""
    row = db.execute(_STATE, (event, json.dumps(tuple(unless)))).fetchone()
    if row is None:
        return NotificationState("over")
    decision, pending, ended, socket, pane, server, owner, later = row
    terminal = Terminal(owner, socket, pane, server) if socket and pane else None
    if later or ended is not None or decision == "block":
        return NotificationState("over", terminal)
    return NotificationState("open" if pending else "quiet", terminal)


MARK_REPORTED = "UPDATE unjudged SET told_at = ?, told_by = ? WHERE told_at IS NULL"
"""The answer to an event reports all missed events to the user."""

MARK_UNREPORTED = "UPDATE unjudged SET told_at = NULL, told_by = NULL WHERE told_by = ?"
"""The answer to this event did not reach its client."""

RECOUNT = (
    "INSERT INTO meta SELECT 'recount_from', iif((SELECT count(*) = coalesce(max(id), 0)"
    " FROM events), '', coalesce((SELECT strftime('%Y-%m-%dT%H', at, '+1 hour') FROM events"
    " WHERE at GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-*' ORDER BY at LIMIT 1), '9999'))"
    " WHERE NOT EXISTS (SELECT 1 FROM meta WHERE key = 'recount_to')",
    "INSERT INTO meta SELECT 'recount_clearing', '1'"
    " WHERE NOT EXISTS (SELECT 1 FROM meta WHERE key = 'recount_to')",
    "INSERT OR IGNORE INTO meta SELECT 'recount_to', coalesce((SELECT value FROM meta"
    " WHERE key = 'events_counted'), '0')",
)
"""Statements that have all recorded events counted again in the next steps.

If events were deleted, the hours up to that of the oldest remaining event keep their counts.
Nothing changes while events are counted again already.
"""

_ADD_MISSED = (
    "INSERT OR IGNORE INTO unjudged"
    " (event, reason, count, more, first_at, last_at, source, kept_at)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
)


def add_missed_events(
    db: sqlite3.Connection, source: str, missed: Iterable[Missed], at: str
) -> None:
    """Store the missed events that shims left in the file `source`, each once."""
    for event in missed:
        reason = redact(event.reason)
        span = (event.count, event.more, event.first, event.last)
        db.execute(_ADD_MISSED, (event.event, reason, *span, source, at))


def unreported_events(db: sqlite3.Connection) -> tuple[Missed, ...]:
    """Return the missed events that are not yet reported to the user, the oldest first."""
    rows = db.execute(
        "SELECT event, reason, count, first_at, last_at, more FROM unjudged"
        " WHERE told_at IS NULL ORDER BY id"
    )
    return tuple(
        Missed(event, reason, count, first, last, bool(more))
        for event, reason, count, first, last, more in rows
    )
