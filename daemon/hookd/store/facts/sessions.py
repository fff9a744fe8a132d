"""Which windows a request means: its own, the one before, a subagent's parent, those it follows."""

import sqlite3

from hookd.core.model.fact_requests import CallerSession
from hookd.core.model.facts import Project, Session, Stored
from hookd.core.model.identity import Where
from hookd.store.facts.rows import SESSION, Row, as_session, one

# Of several that ever ran there, the one with the latest event.
_IN_PANE = (
    "WHERE tmux_socket = ?1 AND tmux_pane = ?2 AND agent_id IS NULL AND ended_at IS NULL"
    " AND (?3 IS NULL OR tmux_server IS NULL OR tmux_server = ?3)"
    " ORDER BY last_event_at DESC, id DESC LIMIT 1"
)


def session(db: sqlite3.Connection, where: Where) -> Session | None:
    """Return the open window that a request means."""
    if where.tmux is not None:
        return as_session(one(db, SESSION + _IN_PANE, *where.tmux))
    if where.claude_session_id:
        tail = "WHERE claude_session_id = ? AND agent_id IS ? AND ended_at IS NULL ORDER BY id DESC"
        row = one(db, f"{SESSION}{tail} LIMIT 1", where.claude_session_id, where.agent_id)
        return as_session(row)
    if where.session_id is not None:
        return as_session(one(db, SESSION + "WHERE id = ?", where.session_id))
    return None


# The last conversation that /clear ended here, unless another has followed it.
_CLEARED = (
    "WHERE project_id = ?1 AND owner IS ?2 AND agent_id IS NULL AND end_reason = 'clear'"
    " AND (?3 IS NULL OR pid IS NULL OR pid = ?3)"
    " AND NOT EXISTS (SELECT 1 FROM sessions s WHERE s.prev_session_id = sessions.id)"
    " ORDER BY id DESC LIMIT 1"
)


# While one is open, another client of that run was started by its own client.
_LAST_OF_RUN = (
    "WHERE run = ?1 AND agent_id IS NULL AND NOT EXISTS (SELECT 1 FROM sessions o"
    " WHERE o.run = ?1 AND o.agent_id IS NULL AND o.ended_at IS NULL) ORDER BY id DESC LIMIT 1"
)


def run_windows(db: sqlite3.Connection, run: str) -> tuple[int, ...]:
    """Return the open windows of a supervised run, the oldest first."""
    rows = db.execute(
        "SELECT id FROM sessions WHERE run = ? AND agent_id IS NULL AND ended_at IS NULL"
        " ORDER BY id",
        (run,),
    )
    return tuple(number for (number,) in rows)


def windows_here(db: sqlite3.Connection, project: int | None, owner: str | None) -> tuple[int, ...]:
    """Return the open sessions of an agent; without one, those without an agent in a project."""
    rows = db.execute(
        "SELECT id FROM sessions WHERE agent_id IS NULL AND ended_at IS NULL AND owner IS ?1"
        " AND (?1 IS NOT NULL OR project_id = ?2) ORDER BY id",
        (owner, project),
    )
    return tuple(number for (number,) in rows)


# A process may have several conversations at a time, as that of opencode.
_OF_PROCESS = (
    "WHERE client_process = ?1 AND agent_id IS NULL AND ended_at IS NULL"
    " ORDER BY id IS ?2 DESC, last_event_at DESC, id DESC LIMIT 1"
)


def session_of_caller(db: sqlite3.Connection, want: CallerSession) -> Session | None:
    """Return the open session of the caller's client process, else the last one of its agent.

    A session that is known to be another process's is not the caller's, whatever agent it names.
    """
    if want.client:
        found = as_session(one(db, SESSION + _OF_PROCESS, want.client, want.named))
        if found is not None:
            return found
    if want.agent is None:
        return None
    tail = (
        "WHERE owner = ?1 AND agent_id IS NULL AND ended_at IS NULL"
        " AND (?2 = '' OR client_process IS NULL) ORDER BY id DESC LIMIT 1"
    )
    return as_session(one(db, SESSION + tail, want.agent, want.client))


def run_of(db: sqlite3.Connection, session_id: int) -> str | None:
    """Return the run that this window is the first open one of."""
    row = one(db, "SELECT run FROM sessions WHERE id = ? AND run IS NOT NULL", session_id)
    return row[0] if row and run_windows(db, row[0])[:1] == (session_id,) else None


def last(db: sqlite3.Connection, where: Where, project: Project | None) -> Session | None:
    """Return the previous session: of the conversation, agent or run, or a cleared one.

    After /clear the client continues under another id, in the same process.
    """
    tail = "WHERE claude_session_id = ? AND agent_id IS ? ORDER BY id DESC LIMIT 1"
    row = one(db, SESSION + tail, where.claude_session_id, where.agent_id)
    owner = where.identity.agent
    if row is None and owner and where.agent_id is None:
        tail = "WHERE owner = ? AND agent_id IS NULL ORDER BY id DESC LIMIT 1"
        row = one(db, SESSION + tail, owner)
    if row is None and where.identity.run and where.agent_id is None:
        row = one(db, SESSION + _LAST_OF_RUN, where.identity.run)
    if row is None and project and where.starts_session == "clear":
        row = one(db, SESSION + _CLEARED, project.id, owner, where.identity.pid)
    return as_session(row)


def parent(db: sqlite3.Connection, where: Where) -> Session | None:
    """Return the window that a subagent runs in."""
    tail = "WHERE claude_session_id = ? AND agent_id IS NULL AND ended_at IS NULL ORDER BY id DESC"
    return as_session(one(db, f"{SESSION}{tail} LIMIT 1", where.claude_session_id))


def superseded(db: sqlite3.Connection, where: Where, own: Session | None) -> tuple[int, ...]:
    """Return the open windows that a window which starts takes the place of."""
    found = [own.id] if own else []
    if where.identity.agent and where.agent_id is None:
        rows = db.execute(
            "SELECT id FROM sessions WHERE owner = ? AND agent_id IS NULL AND ended_at IS NULL",
            (where.identity.agent,),
        )
        found += [row[0] for row in rows]
    return tuple(dict.fromkeys(found))


def replay(db: sqlite3.Connection, where: Where, own: Session | None) -> Stored | None:
    """Return what an earlier delivery of the same event was answered."""
    if where.delivery_key:
        row = one(
            db,
            "SELECT result, answer, id, pending FROM events WHERE delivery_key = ?",
            where.delivery_key,
        )
        if row:
            return _stored(row)
    if where.starts_session and own and own.source == where.starts_session:
        # A SessionStart delivered again, with nothing in between, is the same window.
        row = one(
            db,
            "SELECT result, answer, id, pending, event FROM events WHERE session_id = ?"
            " ORDER BY id DESC LIMIT 1",
            own.id,
        )
        return _stored(row) if row and row[4] == "SessionStart" else None
    return None


def _stored(row: Row) -> Stored:
    return Stored(row[0], row[1], row[2], bool(row[3]))
