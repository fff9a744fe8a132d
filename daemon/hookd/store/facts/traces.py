"""The records of a session: the number of rows by table, and texts outside of them."""

import json
import sqlite3
from collections.abc import Iterator

from hookd.core.model.fact_requests import Traces
from hookd.store.facts.rows import EFFORT, as_effort
from hookd.store.session_rows import (
    BACKUP,
    ROWS,
    TEXTS,
    arguments,
    events_of,
    own_sessions,
)

_ENTRIES = (
    "SELECT m.effort_id, p.path, m.content, m.timestamp FROM messages m"
    " JOIN efforts e ON e.id = m.effort_id LEFT JOIN projects p ON p.id = e.project_id"
    " WHERE m.role = 'log' AND m.session_id IN (SELECT value FROM json_each(?)) ORDER BY m.id"
)

_COPIES = (
    "SELECT substr(key, ?1), value FROM meta WHERE key GLOB ?2 AND value >= ?3 ORDER BY value, key"
)


def traces(db: sqlite3.Connection, session_id: int) -> Traces | None:
    """Return what is recorded of a session; None if there is none of this number."""
    own = own_sessions(db, session_id)
    if not own:
        return None
    sessions, events = tuple(row[0] for row in own), events_of(db, own)
    args = arguments(sessions, events)
    rows = [(table, _count(db, table, test, args)) for table, test in ROWS.items()]
    rows += [(name, _count(db, table, test, args)) for name, (table, test, _) in TEXTS.items()]
    began = min(row[2] for row in own)
    backups = db.execute(_COPIES, (len(BACKUP) + 1, f"{BACKUP}*", began)).fetchall()
    return Traces(
        sessions,
        began,
        max(row[3] for row in own),
        next((row[4] for row in own if row[0] == session_id), None),
        tuple(rows),
        events,
        tuple(_entries(db, sessions)),
        tuple(backups),
    )


def _entries(
    db: sqlite3.Connection, sessions: tuple[int, ...]
) -> Iterator[tuple[str, str, str, str]]:
    """Yield the log entries of sessions: file, folder that must contain it, text, time."""
    for number, project, text, at in db.execute(_ENTRIES, (json.dumps(sessions),)).fetchall():
        effort = as_effort(db.execute(f"{EFFORT} WHERE id = ?", (number,)).fetchone())
        if effort is not None:
            inside = project and effort.task_dir.startswith(project.rstrip("/") + "/")
            yield effort.log_path, project if inside else effort.task_dir, text, at


def _count(db: sqlite3.Connection, table: str, test: str, args: dict[str, str]) -> int:
    sql = f"SELECT count(*) FROM {table} WHERE {test}"  # noqa: S608 - constants
    return int(db.execute(sql, args).fetchone()[0])
