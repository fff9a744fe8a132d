"""Reading facts: from what a request points at to what a decision may know, in one go."""

import json
import sqlite3
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from hookd.core.facts import (
    Agent,
    Effort,
    Facts,
    Guard,
    NextIds,
    Project,
    Session,
    Standing,
    Stored,
)
from hookd.core.identity import Where

_SESSION = (
    "SELECT id, claude_session_id, agent_id, owner, project_id, effort_id, parent_session_id,"
    " source, heartbeat_counter, last_counted, context_usage, loaded_files_json, ended_at"
    " FROM sessions "
)
_EFFORT = (
    "SELECT id, task_id, skill, ordinal, mode, lifecycle, current_phase, project_id, metadata_json"
    " FROM efforts "
)
_ABOVE = (
    "SELECT id, path FROM projects WHERE ?1 = path OR substr(?1, 1, length(path) + 1) = path || '/'"
    " ORDER BY length(path) DESC LIMIT 1"
)
_NEXT = (
    "SELECT coalesce((SELECT max(id) FROM events), 0) + 1,"
    " coalesce((SELECT max(id) FROM sessions), 0) + 1,"
    " coalesce((SELECT max(id) FROM efforts), 0) + 1,"
    " coalesce((SELECT max(id) FROM projects), 0) + 1,"
    " coalesce((SELECT max(id) FROM guards), 0) + 1"
)

Row = tuple[Any, ...]


def read(
    db: sqlite3.Connection,
    where: Where,
    now: datetime,
    standing: Standing,
) -> Facts:
    """Return the facts for one request. What cannot be resolved stays None."""
    session = _session(db, where)
    starting = session is None or where.starts_session is not None
    project = _project(db, where, session)
    previous = _last(db, where, project) if starting and where.claude_session_id else None
    parent = _parent(db, where) if starting and where.agent_id else None
    agent = _agent(db, where.identity.agent or (session.owner if session else None))
    bound = None if where.starts_session else session
    near = _Near(bound or parent, previous, agent, project)
    effort = _effort(db, where, near, share=standing.share_efforts)
    return Facts(
        now=now,
        identity=where.identity,
        project=project,
        effort=effort,
        session=session,
        previous=previous,
        parent=parent,
        agent=agent,
        guards=_guards(db, where, project, effort),
        policy_state=_policy_state(db, session),
        options=standing.options,
        next=NextIds(*db.execute(_NEXT).fetchone()),
        replay=_replay(db, where, session),
        superseded=_superseded(db, where, session) if where.starts_session else (),
        daemon=standing.daemon,
        **_task(db, where, effort),
    )


def _one(db: sqlite3.Connection, sql: str, *args: object) -> Row | None:
    row: Row | None = db.execute(sql, args).fetchone()
    return row


def _as_session(row: Row | None) -> Session | None:
    if row is None:
        return None
    values = list(row)
    values[11] = tuple(json.loads(values[11]))
    return Session(*values)


def _as_effort(row: Row | None) -> Effort | None:
    if row is None:
        return None
    values = list(row)
    values[8] = json.loads(values[8])
    return Effort(*values)


def _session(db: sqlite3.Connection, where: Where) -> Session | None:
    if where.claude_session_id:
        tail = "WHERE claude_session_id = ? AND agent_id IS ? AND ended_at IS NULL ORDER BY id DESC"
        row = _one(db, f"{_SESSION}{tail} LIMIT 1", where.claude_session_id, where.agent_id)
        return _as_session(row)
    if where.session_id is not None:
        return _as_session(_one(db, _SESSION + "WHERE id = ?", where.session_id))
    return None


# Of the conversations that /clear ended here, and that nobody has followed yet, the last one.
_CLEARED = (
    "WHERE project_id = ?1 AND owner IS ?2 AND agent_id IS NULL AND end_reason = 'clear'"
    " AND (?3 IS NULL OR pid IS NULL OR pid = ?3)"
    " AND NOT EXISTS (SELECT 1 FROM sessions s WHERE s.prev_session_id = sessions.id)"
    " ORDER BY id DESC LIMIT 1"
)


def _last(db: sqlite3.Connection, where: Where, project: Project | None) -> Session | None:
    """Return the window before: of the conversation, of the agent, or the one that was cleared.

    After /clear the client goes on under another id, in the same process.
    """
    tail = "WHERE claude_session_id = ? AND agent_id IS ? ORDER BY id DESC LIMIT 1"
    row = _one(db, _SESSION + tail, where.claude_session_id, where.agent_id)
    owner = where.identity.agent
    if row is None and owner and where.agent_id is None:
        tail = "WHERE owner = ? AND agent_id IS NULL ORDER BY id DESC LIMIT 1"
        row = _one(db, _SESSION + tail, owner)
    if row is None and project and where.starts_session == "clear":
        row = _one(db, _SESSION + _CLEARED, project.id, owner, where.identity.pid)
    return _as_session(row)


def _parent(db: sqlite3.Connection, where: Where) -> Session | None:
    tail = "WHERE claude_session_id = ? AND agent_id IS NULL AND ended_at IS NULL ORDER BY id DESC"
    return _as_session(_one(db, f"{_SESSION}{tail} LIMIT 1", where.claude_session_id))


def _superseded(db: sqlite3.Connection, where: Where, session: Session | None) -> tuple[int, ...]:
    found = [session.id] if session else []
    if where.identity.agent and where.agent_id is None:
        rows = db.execute(
            "SELECT id FROM sessions WHERE owner = ? AND agent_id IS NULL AND ended_at IS NULL",
            (where.identity.agent,),
        )
        found += [row[0] for row in rows]
    return tuple(dict.fromkeys(found))


def _agent(db: sqlite3.Connection, name: str | None) -> Agent | None:
    if name is None:
        return None
    row = _one(db, "SELECT id, effort_id, status FROM agents WHERE id = ?", name)
    return Agent(*row) if row else None


def _project(db: sqlite3.Connection, where: Where, session: Session | None) -> Project | None:
    if session and session.project_id is not None:
        row = _one(db, "SELECT id, path FROM projects WHERE id = ?", session.project_id)
        return Project(*row) if row else None
    if root := where.identity.project_dir:
        # The client's own project folder is the project, whatever root it lies under.
        row = _one(db, "SELECT id, path FROM projects WHERE path = ?", root)
        return Project(*row) if row else None
    for folder in (where.cwd, where.task_dir):
        if folder and (row := _one(db, _ABOVE, folder)):
            return Project(*row)
    return None


@dataclass(frozen=True, slots=True)
class _Near:
    """What an effort is found by, the nearest first; `session` is a subagent's parent where new."""

    session: Session | None
    previous: Session | None
    agent: Agent | None
    project: Project | None


def _effort(db: sqlite3.Connection, where: Where, near: _Near, *, share: bool) -> Effort | None:
    if where.effort_id is not None:
        return _by_id(db, where.effort_id)
    if near.session is not None:
        return _by_id(db, near.session.effort_id)
    for owner in (near.previous, near.agent):
        found = _by_id(db, owner.effort_id) if owner else None
        if found is not None and found.active:
            return found
    if near.project is None or (where.identity.agent and not share):
        return None
    tail = "WHERE project_id = ? AND lifecycle = 'active' ORDER BY id DESC LIMIT 1"
    return _as_effort(_one(db, _EFFORT + tail, near.project.id))


def _by_id(db: sqlite3.Connection, effort_id: int | None) -> Effort | None:
    if effort_id is None:
        return None
    return _as_effort(_one(db, _EFFORT + "WHERE id = ?", effort_id))


def _guards(
    db: sqlite3.Connection, where: Where, project: Project | None, effort: Effort | None
) -> tuple[Guard, ...]:
    """Return the rules that hold here: a project's hold in all folders below its root."""
    rows = db.execute(
        "SELECT id, rule_id, scope, rule_json, project_id FROM guards"
        " WHERE scope = 'user' OR effort_id = ?1 OR project_id IN (SELECT id FROM projects"
        "  WHERE ?2 = path OR substr(?2, 1, length(path) + 1) = path || '/'"
        "  OR ?3 = path OR substr(?3, 1, length(path) + 1) = path || '/') ORDER BY id",
        (effort.id if effort else None, project.path if project else None, where.cwd),
    )
    return tuple(Guard(*row) for row in rows)


def any_guard(db: sqlite3.Connection) -> bool:
    """Whether any guard rule is set at all."""
    return _one(db, "SELECT 1 FROM guards LIMIT 1") is not None


def _policy_state(db: sqlite3.Connection, session: Session | None) -> dict[str, Any]:
    if session is None:
        return {}
    rows = db.execute(
        "SELECT policy, value_json FROM policy_state WHERE session_id = ?", (session.id,)
    )
    return {policy: json.loads(value) for policy, value in rows}


def _replay(db: sqlite3.Connection, where: Where, session: Session | None) -> Stored | None:
    if where.delivery_key:
        row = _one(
            db, "SELECT result, answer FROM events WHERE delivery_key = ?", where.delivery_key
        )
        return Stored(*row) if row else None
    if where.starts_session and session and session.source == where.starts_session:
        # A SessionStart delivered again, with nothing in between, is the same window.
        row = _one(
            db,
            "SELECT result, answer, event FROM events WHERE session_id = ?"
            " ORDER BY id DESC LIMIT 1",
            session.id,
        )
        return Stored(*row[:2]) if row and row[2] == "SessionStart" else None
    return None


def _task(db: sqlite3.Connection, where: Where, effort: Effort | None) -> dict[str, Any]:
    if where.task_dir is not None:
        (last,) = db.execute(
            "SELECT coalesce(max(ordinal), 0) FROM efforts WHERE task_id = ?", (where.task_dir,)
        ).fetchone()
        known = _one(db, "SELECT 1 FROM tasks WHERE dir_path = ?", where.task_dir) is not None
        return {"last_ordinal": last, "task_known": known}
    if where.claude_session_id is None and effort is not None:
        rows = db.execute(
            "SELECT id FROM sessions WHERE effort_id = ? AND agent_id IS NULL AND ended_at IS NULL",
            (effort.id,),
        )
        return {"effort_windows": tuple(row[0] for row in rows)}
    return {}
