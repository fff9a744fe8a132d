"""What is old goes, a few rows at a time, so that nobody waits for it."""

import sqlite3
from datetime import datetime

from hookd.core.model.facts import iso

_NEWEST = 1_000
"""Events that stay however old they are: numbers go on from the last one."""

_OLD = (
    (
        "DELETE FROM events WHERE id IN (SELECT id FROM events WHERE at < :before"
        " AND id <= (SELECT max(id) FROM events) - :newest ORDER BY at LIMIT :batch)"
    ),
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
        "DELETE FROM hook_runs WHERE id IN (SELECT id FROM hook_runs"
        " WHERE created_at < :before ORDER BY created_at LIMIT :batch)"
    ),
)
"""Each finds its rows by an index: whoever waits for an answer would wait for a scan, too."""


def forget(db: sqlite3.Connection, before: datetime, batch: int = 500) -> int:
    """Delete some rows from before that time: events, messages, texts that waited. Return how many.

    Of each table a `batch` at most.

    Sessions, efforts and tasks stay: they are few, and tell what was done.
    """
    args = {"before": iso(before), "newest": _NEWEST, "batch": batch}
    return sum(max(0, db.execute(sql, args).rowcount) for sql in _OLD)
