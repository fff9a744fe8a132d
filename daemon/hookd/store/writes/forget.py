"""Delete what is recorded of a session, overwritten in the file."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from hookd.store import counts
from hookd.store.session_rows import ROWS, TEXTS, arguments, events_of, own_sessions

# An event's number is never given again: allow rules, answers and logs name it.
_KEEP_NUMBER = (
    "INSERT INTO events (id, at, event, kind, payload) SELECT ?1, ?2, '', 'forgotten', '{}'"
    " WHERE NOT EXISTS (SELECT 1 FROM events WHERE id > ?1)"
)

# Events of a session are deleted with it in the central store, those without one by their numbers.
# By the conversations it finds those that were sent before the database was restored.
_REPORT = (
    "SELECT json_object('sessions', json(:sessions), 'conversations', json(:conversations),"
    " 'events', (SELECT json_group_array(id)"
    "  FROM events WHERE session_id IS NULL AND id IN (SELECT value FROM json_each(:events))))"
    " FROM fleet_membership"
)
_NO_SESSION = (
    "DELETE FROM outbox WHERE kind = 'session'"
    " AND row_id IN (SELECT value FROM json_each(:sessions))"
)
_ADD_REPORT = (
    "INSERT INTO outbox (kind, row_id, at, body)"
    " VALUES ('forget', ?, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), ?)"
)

_FEW = 4
"""Sessions up to which scanning for rows that refer to each costs less than an index."""

_REFERENCES = (
    ("injections", "session_id"),
    ("injections", "handover_of"),
    ("sessions", "prev_session_id"),
)
"""Columns that refer to a session, and have no index for that."""


def forget(db: sqlite3.Connection, session_id: int) -> None:
    """Delete what is recorded of a session, and overwrite it with zeros; in a transaction.

    Remains of earlier states in free space of the file are dropped by compacting it.
    """
    own = own_sessions(db, session_id)
    sessions, events = tuple(row[0] for row in own), events_of(db, own)
    args = arguments(sessions, events)
    (before,) = db.execute("PRAGMA secure_delete").fetchone()
    db.execute("PRAGMA secure_delete = ON").fetchall()
    try:
        counts.subtract(db, events)
        conversations = json.dumps(sorted({row[1] for row in own}))
        reported = db.execute(_REPORT, args | {"conversations": conversations}).fetchone()
        for table, test, values in TEXTS.values():
            db.execute(f"UPDATE {table} SET {values} WHERE {test}", args)  # noqa: S608 - constants
        with _indexed(db, len(sessions)):
            for table, test in ROWS.items():
                db.execute(f"DELETE FROM {table} WHERE {test}", args)  # noqa: S608
        # A subagent's row loses its parent before it is deleted, which adds a row for it.
        db.execute(_NO_SESSION, args)
        if own and reported:
            db.execute(_ADD_REPORT, (session_id, *reported))
        if events and own:
            db.execute(_KEEP_NUMBER, (events[-1], own[0][2]))
    finally:
        db.execute(f"PRAGMA secure_delete = {before}").fetchall()


@contextmanager
def _indexed(db: sqlite3.Connection, count: int) -> Iterator[None]:
    """Index what refers to sessions while `count` of them are deleted.

    For each one SQLite looks for such rows, and events wait meanwhile. Permanent indexes would cost
    every event that writes such a row.
    """
    names = [f"forget_{table}_{column}" for table, column in _REFERENCES] if count > _FEW else []
    for name, (table, column) in zip(names, _REFERENCES, strict=False):
        db.execute(f"CREATE INDEX {name} ON {table} ({column})")
    yield
    for name in names:  # after an error, the transaction is undone
        db.execute(f"DROP INDEX {name}")
