"""Reading facts: from what a request points at to what a decision may know, in one go."""

import json
import sqlite3
from dataclasses import replace
from datetime import datetime
from typing import Any

from hookd.core.model.daemon_state import RuntimeConfig
from hookd.core.model.facts import Agent, Effort, Facts, Guard, Injection, NextIds, Project, Session
from hookd.core.model.identity import Where
from hookd.store.facts import efforts, sessions
from hookd.store.facts.requested import seen
from hookd.store.facts.rows import INJECTION, as_injection, one
from hookd.store.maintenance import unreported_events

__all__ = ["any_guard", "read", "seen", "trusted"]

_NEXT = (
    "SELECT coalesce((SELECT max(id) FROM events), 0) + 1,"
    " coalesce((SELECT max(id) FROM sessions), 0) + 1,"
    " coalesce((SELECT max(id) FROM efforts), 0) + 1,"
    " coalesce((SELECT max(id) FROM projects), 0) + 1,"
    " coalesce((SELECT max(id) FROM guards), 0) + 1,"
    " EXISTS (SELECT 1 FROM allowances),"
    " (SELECT value FROM meta WHERE key = 'paused_until'),"
    " (SELECT value FROM meta WHERE key = 'paused_by'),"
    " EXISTS (SELECT 1 FROM unjudged WHERE told_at IS NULL),"
    " EXISTS (SELECT 1 FROM agent_mail WHERE state = 'waiting' AND to_kind = 'task')"
)


_WAITING = 100
"""Texts of a window that are read, the oldest first; an answer has room for a few of them."""

# Two queries, since each has an index of its own.
_INJECTIONS = (
    f"SELECT * FROM ({INJECTION} WHERE session_id = ?1 AND delivered_at IS NULL"  # noqa: S608
    " AND offered_at IS NOT NULL ORDER BY id LIMIT ?2)"
    f" UNION ALL SELECT * FROM ({INJECTION} WHERE session_id = ?1 AND delivered_at IS NULL"
    " AND offered_at IS NULL AND offers < 3 ORDER BY id LIMIT ?2) ORDER BY 1"
)


def read(
    db: sqlite3.Connection,
    where: Where,
    now: datetime,
    standing: RuntimeConfig,
) -> Facts:
    """Return the facts for one request. What cannot be resolved stays None."""
    session = sessions.session(db, where)
    starting = session is None or where.starts_session is not None
    project = efforts.project(db, where, session)
    previous = sessions.last(db, where, project) if starting and where.claude_session_id else None
    parent = sessions.parent(db, where) if starting and where.agent_id else None
    agent = _agent(db, where, session)
    bound = None if where.starts_session else session
    near = efforts.Near(bound or parent, previous, agent, project)
    share = standing.settings.identity.share_efforts
    effort, by_project = efforts.effort(db, where, near, share=share)
    *ids, allowances, pause, paused_by, missed, task_mail = db.execute(_NEXT).fetchone()
    daemon = standing.daemon
    if pause:
        daemon = replace(daemon, paused_until=pause, paused_by=paused_by or "")
    return Facts(
        now=now,
        identity=where.identity,
        project=project,
        effort=effort,
        by_project=by_project,
        session=session,
        previous=previous,
        parent=parent,
        agent=agent,
        guards=_guards(db, where, project, effort),
        policy_state=_policy_state(db, session),
        options=standing.options,
        settings=standing.settings,
        next=NextIds(*ids),
        replay=sessions.replay(db, where, session),
        superseded=sessions.superseded(db, where, session) if where.starts_session else (),
        effort_windows=_effort_windows(db, where, effort),
        injections=_injections(db, session),
        any_allowances=bool(allowances),
        any_task_mail=bool(task_mail),
        daemon=replace(daemon, unjudged=unreported_events(db)) if missed else daemon,
        client=where.client,
    )


def _agent(db: sqlite3.Connection, where: Where, session: Session | None) -> Agent | None:
    if where.tmux is not None:
        return _agent_in(db, *where.tmux)
    name = where.identity.agent or (session.owner if session else None)
    if name is None:
        return None
    row = one(db, "SELECT id, effort_id, status FROM agents WHERE id = ?", name)
    return Agent(*row) if row else None


def _agent_in(db: sqlite3.Connection, socket: str, pane: str, server: int | None) -> Agent | None:
    """Return the agent in a pane: of several, the one with the latest status."""
    sql = (
        "SELECT id, effort_id, status FROM agents WHERE tmux_socket = ?1 AND tmux_pane = ?2"
        " AND (?3 IS NULL OR tmux_server IS NULL OR tmux_server = ?3)"
        " ORDER BY status_at DESC, id DESC LIMIT 1"
    )
    row = one(db, sql, socket, pane, server)
    return Agent(*row) if row else None


def _guards(
    db: sqlite3.Connection, where: Where, project: Project | None, effort: Effort | None
) -> tuple[Guard, ...]:
    """Return the rules that apply: those of a project apply in all folders below its root."""
    rows = db.execute(
        "SELECT id, name, scope, rule_json, project_id,"
        " (SELECT path FROM projects WHERE id = guards.project_id), layer, source, loosens"
        " FROM guards"
        " WHERE scope = 'user' OR effort_id = ?1 OR project_id IN (SELECT id FROM projects"
        "  WHERE ?2 = path OR substr(?2, 1, length(path) + 1) = path || '/'"
        "  OR ?3 = path OR substr(?3, 1, length(path) + 1) = path || '/') ORDER BY id",
        (effort.id if effort else None, project.path if project else None, where.cwd),
    )
    return tuple(Guard(*row) for row in rows)


def any_guard(db: sqlite3.Connection) -> bool:
    """Whether any guard rule is set at all."""
    return one(db, "SELECT 1 FROM guards LIMIT 1") is not None


def trusted(db: sqlite3.Connection) -> dict[str, str]:
    """Return the digest that each project's own hooks are trusted with."""
    return dict(db.execute("SELECT root, digest FROM trusts"))


def _policy_state(db: sqlite3.Connection, session: Session | None) -> dict[str, Any]:
    if session is None:
        return {}
    rows = db.execute(
        "SELECT policy, value_json FROM policy_state WHERE session_id = ?", (session.id,)
    )
    return {policy: json.loads(value) for policy, value in rows}


def _injections(db: sqlite3.Connection, session: Session | None) -> tuple[Injection, ...]:
    if session is None:
        return ()
    return tuple(map(as_injection, db.execute(_INJECTIONS, (session.id, _WAITING))))


def _effort_windows(db: sqlite3.Connection, where: Where, effort: Effort | None) -> tuple[int, ...]:
    """Return the open windows of an effort, for who asks from outside of any of them."""
    if where.claude_session_id is not None or effort is None:
        return ()
    rows = db.execute(
        "SELECT id FROM sessions WHERE effort_id = ? AND agent_id IS NULL AND ended_at IS NULL",
        (effort.id,),
    )
    return tuple(row[0] for row in rows)
