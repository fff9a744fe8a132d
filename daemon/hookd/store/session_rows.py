"""Rows and texts that are recorded of a session, by table: what forgetting a session deletes.

A session goes with the runs of its subagents. Texts of it that other rows have go as well: a
handover that a later session was given, and the answers that had it.
"""

import json
import sqlite3

BACKUP = "backup:"
"""Beginning of the keys in meta that name a copy of the database; the value is its time."""

_OWN = (
    "WITH RECURSIVE own(id) AS (SELECT id FROM sessions WHERE id = ?1 UNION"
    " SELECT s.id FROM sessions s JOIN own ON s.parent_session_id = own.id)"
    " SELECT s.id, s.claude_session_id, s.created_at, coalesce(s.ended_at, s.last_event_at),"
    " s.transcript_path FROM own JOIN sessions s ON s.id = own.id ORDER BY s.id"
)
# Events of the conversation without a session belong to the window of their time.
_EVENTS = (
    "SELECT id FROM events WHERE session_id IN (SELECT value FROM json_each(?1))"
    " UNION SELECT id FROM events WHERE at BETWEEN ?3 AND ?4 AND session_id IS NULL"
    " AND claude_session_id = ?2 ORDER BY 1"
)
_BY_SESSION = "session_id IN (SELECT value FROM json_each(:sessions))"
_BY_EVENT = "event_id IN (SELECT value FROM json_each(:events))"
_BY_HANDOVER = f"{_BY_SESSION} OR handover_of IN (SELECT value FROM json_each(:sessions))"  # noqa: S608
_SENDER = "sender_session_id IN (SELECT value FROM json_each(:sessions))"
_GIVEN = (
    "id IN (SELECT offered_by FROM injections"
    " WHERE handover_of IN (SELECT value FROM json_each(:sessions)))"
    " AND id NOT IN (SELECT value FROM json_each(:events))"
)
_MAILED = (
    "id IN (SELECT i.offered_by FROM agent_mail m JOIN injections i ON i.mail_id = m.id"
    " WHERE m.sender_session_id IN (SELECT value FROM json_each(:sessions)))"
    " AND id NOT IN (SELECT value FROM json_each(:events))"
)
_OUTBOX = (
    "kind = 'session' AND row_id IN (SELECT value FROM json_each(:sessions))"  # noqa: S608
    " OR kind = 'event' AND row_id IN (SELECT value FROM json_each(:events))"
    f" OR kind = 'mail' AND row_id IN (SELECT id FROM agent_mail WHERE {_SENDER})"
)
ROWS = {
    "outbox": _OUTBOX,
    "bodies": _BY_EVENT,
    "hook_runs": _BY_EVENT,
    "counting": _BY_EVENT,
    "approvals": _BY_EVENT,
    "own_calls": _BY_SESSION,
    "messages": _BY_SESSION,
    "todos": _BY_SESSION,
    "costs": _BY_SESSION,
    "context_history": _BY_SESSION,
    "policy_state": _BY_SESSION,
    "claims": _BY_SESSION,
    "file_views": _BY_SESSION,
    "injections": _BY_HANDOVER,
    "agent_mail": _SENDER,  # with the injections of it
    "events": "id IN (SELECT value FROM json_each(:events))",
    "sessions": "id IN (SELECT value FROM json_each(:sessions))",
}
"""Rows that are deleted, by table, in this order: a reference before the row it refers to."""

_NO_ANSWER = "answer = NULL, result = NULL, facts_json = NULL, delivery_key = NULL"

TEXTS = {
    "answers with its handover": (
        "events",
        _GIVEN,
        _NO_ANSWER,
    ),
    "answers with its mail": ("events", _MAILED, _NO_ANSWER),
    "texts of allow rules": ("allowances", _BY_EVENT, "text = ''"),
    "work items that it added": (
        "work_items",
        "added_session_id IN (SELECT value FROM json_each(:sessions))",
        "title = '', text = NULL, added_by = '', added_conversation = NULL",
    ),
    "work items that it had": (
        "work_items",
        _BY_SESSION,
        "reason = NULL, result = NULL, agent = NULL, conversation = NULL,"
        " state = iif(state = 'taken', 'open', state)",
    ),
    "statuses that it caused": (
        "agents",
        "status_event_id IN (SELECT value FROM json_each(:events))",
        "status_event_id = NULL",
    ),
}
"""Rows of others that lose what they have of the session: table, condition, new values."""


def own_sessions(db: sqlite3.Connection, session_id: int) -> list[tuple[int, str, str, str, str]]:
    """Return a session and those of its subagents: number, Claude Code's id, times, transcript."""
    return db.execute(_OWN, (session_id,)).fetchall()


def events_of(db: sqlite3.Connection, own: list[tuple[int, str, str, str, str]]) -> tuple[int, ...]:
    """Return the numbers of the events of sessions, in order."""
    found: set[int] = set()
    for number, conversation, began, ended, _ in own:
        args = (json.dumps([number]), conversation, began, ended)
        found.update(row[0] for row in db.execute(_EVENTS, args))
    return tuple(sorted(found))


def arguments(sessions: tuple[int, ...], events: tuple[int, ...]) -> dict[str, str]:
    """Return the arguments of the conditions."""
    return {"sessions": json.dumps(sessions), "events": json.dumps(events)}
