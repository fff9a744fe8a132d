"""What is old goes, a few rows at a time, so that nobody waits for it."""

import sqlite3
from datetime import datetime

from hookd.core.facts import iso

_BATCH = 500
_NEWEST = 1_000
"""Events that stay however old they are: numbers go on from the last one."""

_OLD = (
    (
        "DELETE FROM events WHERE id IN (SELECT id FROM events WHERE at < ?1"
        " AND id <= (SELECT max(id) FROM events) - ?2 ORDER BY id LIMIT ?3)"
    ),
    (
        "DELETE FROM messages WHERE id IN (SELECT id FROM messages WHERE timestamp < ?1"
        " AND ?2 ORDER BY id LIMIT ?3)"
    ),
    (
        "DELETE FROM injections WHERE id IN (SELECT i.id FROM injections i JOIN sessions s"
        " ON s.id = i.session_id WHERE i.created_at < ?1 AND s.ended_at IS NOT NULL AND ?2"
        " ORDER BY i.id LIMIT ?3)"
    ),
    (
        "DELETE FROM hook_runs WHERE id IN (SELECT id FROM hook_runs WHERE created_at < ?1"
        " AND ?2 ORDER BY id LIMIT ?3)"
    ),
)


def forget(db: sqlite3.Connection, before: datetime) -> int:
    """Delete some rows from before that time: events, messages, texts that waited. Return how many.

    Sessions, efforts and tasks stay: they are few, and tell what was done.
    """
    args = (iso(before), _NEWEST, _BATCH)
    return sum(max(0, db.execute(sql, args).rowcount) for sql in _OLD)
