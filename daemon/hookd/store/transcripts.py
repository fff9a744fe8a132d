"""Rows of transcripts: how far each was read, its messages, and its errors.

That is what was said in a conversation, and how full its window is.
"""

import json
import sqlite3
from collections.abc import Iterable
from typing import NamedTuple

from hookd.events.context_usage import Usage, Window, is_own, read_usage
from hookd.events.transcript import Entry
from hookd.redaction.redact import LIMIT, redact
from hookd.store.writes.sessions import CONTEXT_CHANGED

_WINDOW = (
    "SELECT id, claude_session_id, effort_id FROM sessions"
    " WHERE id = (SELECT coalesce(parent_session_id, id) FROM sessions WHERE id = ?)"
)
_TAKEN = (
    "SELECT max(transcript_offset) FROM sessions WHERE transcript_path = ? AND claude_session_id ="
    " (SELECT claude_session_id FROM sessions WHERE id = ?)"
)
_KEEP = (
    "INSERT OR IGNORE INTO messages (session_id, effort_id, role, content, tool_name, ref,"
    " timestamp) VALUES (?, ?, ?, ?, ?, ?, ?)"
)
# A prompt is kept when it is submitted, whole and under another ref: maybe by the window before.
_SAID = (
    "SELECT 1 FROM messages WHERE role = 'user' AND substr(content, 1, ?) = ? AND session_id IN"
    " (SELECT id FROM sessions WHERE claude_session_id = ? AND agent_id IS NULL) LIMIT 1"
)
# The windows of one conversation share the file: if it was started again, it was for all of them.
_MOVE = (
    "UPDATE sessions SET transcript_path = ?1, transcript_offset = ?2 WHERE claude_session_id = ?3"
    " AND (id = ?4 OR (transcript_path = ?1 AND transcript_offset > ?2))"
)
# A file can be that of several windows: after a compaction it is the next one's as well.
_MEASURED = (
    "SELECT id, created_at, source, model, window_tokens, context_usage, context_source"
    " FROM sessions WHERE id = (SELECT max(x.id) FROM sessions x JOIN sessions s"
    "  ON x.claude_session_id = s.claude_session_id WHERE s.id = ? AND x.agent_id IS NULL"
    "  AND x.ended_at IS NULL)"
)
_MEASURED_RUN = (
    "SELECT id, created_at, source, model, window_tokens, context_usage, context_source"
    " FROM sessions WHERE id = ? AND agent_id IS NOT NULL"
)
_FAIL = (
    "UPDATE agents SET status = 'error', status_event_id = ?, status_at = ?"
    " WHERE id = (SELECT owner FROM sessions WHERE id = ?) AND status IN ('done', 'working')"
    " AND coalesce(status_event_id, 0) <= ?"
)
_FAIL_WINDOW = (
    "UPDATE sessions SET status = 'error', status_event_id = ?, status_at = ?"
    " WHERE id = ? AND ended_at IS NULL AND status IN ('done', 'working')"
    " AND coalesce(status_event_id, 0) <= ?"
)
_MEASURE = (
    "UPDATE sessions SET context_usage = ?, context_source = ?,"
    " window_tokens = coalesce(?, window_tokens) WHERE id = ?"
)


class Opened(NamedTuple):
    """A transcript: the client of its session, "" if unknown; `own`: it is a subagent's file.

    `offset` are the bytes of it that were taken in.
    """

    client: str
    own: bool
    offset: int


class _Window(NamedTuple):
    id: int
    claude_session_id: str
    effort_id: int | None


def taken(db: sqlite3.Connection, session_id: int, path: str) -> int:
    """Return how many bytes of the transcript at `path` the session's conversation has taken in."""
    (offset,) = db.execute(_TAKEN, (redact(path), session_id)).fetchone()
    return offset or 0


def keep(  # noqa: PLR0913 - what was said, and where it came from
    db: sqlite3.Connection,
    session_id: int,
    entries: Iterable[Entry],
    *,
    path: str,
    offset: int,
    at: str,
) -> None:
    """Keep what was said, each thing once, and that `path` is taken in up to `offset`.

    What a subagent's event points at is the transcript of its window, and is kept as that one's.
    `at` is the time of what has none.
    """
    found = db.execute(_WINDOW, (session_id,)).fetchone()
    if found is None:
        return
    window = _Window(*found)
    for entry in entries:
        if not _is_said(db, window, entry):
            row = (entry.role, entry.content, entry.tool_name, entry.ref, entry.at or at)
            db.execute(_KEEP, (window.id, window.effort_id, *row))
    db.execute(_MOVE, (redact(path), offset, window.claude_session_id, window.id))


def opened(db: sqlite3.Connection, session_id: int, path: str) -> Opened:
    """Return the transcript at `path`: its session's client, and how far it was read."""
    found = db.execute(
        "SELECT agent_id, client FROM sessions WHERE id = ?", (session_id,)
    ).fetchone()
    agent, client = found or (None, None)
    return Opened(client or "", is_own(path, agent), taken(db, session_id, path))


def measure(
    db: sqlite3.Connection, session_id: int, usage: Usage, *, own: bool, chosen: int | None
) -> bool:
    """Keep how full the open window of the session's conversation is; return whether that is new.

    With `own` it is a subagent's transcript, and the number is its run's. `chosen` is the size of
    the window as the user has set it.
    """
    found = db.execute(_MEASURED_RUN if own else _MEASURED, (session_id,)).fetchone()
    reading = read_usage(Window(*found[1:]), usage, chosen) if found else None
    if reading is not None:
        source = None if reading.usage is None else "transcript"
        db.execute(CONTEXT_CHANGED, (found[0], reading.usage, None))
        db.execute(_MEASURE, (reading.usage, source, reading.window, found[0]))
    return reading is not None


def fail(db: sqlite3.Connection, session_id: int, stopped: int, kind: str, at: str) -> None:
    """Record that a turn ended by an error, unless its agent has continued since that Stop."""
    said = json.dumps({"event": "stop_failure", "error": kind})
    window = (session_id, None, "system", said, None, f"stop {stopped}", at)
    db.execute(_KEEP, window)
    db.execute(_FAIL, (stopped, at, session_id, stopped))
    db.execute(_FAIL_WINDOW, (stopped, at, session_id, stopped))


def _is_said(db: sqlite3.Connection, window: _Window, entry: Entry) -> bool:
    if entry.role != "user":
        return False
    asked = (LIMIT, entry.content, window.claude_session_id)
    return db.execute(_SAID, asked).fetchone() is not None
