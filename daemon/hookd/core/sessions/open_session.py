"""Open a session, at its SessionStart or its first event; add system notes to it."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from hookd.core.efforts.joining import request_origin, without_unjoined_effort
from hookd.core.mail.delivery import move_mail
from hookd.core.model.claim_requests import PlaceOfFile
from hookd.core.model.effects.after_commit import ReadClientVersion, RegisterProcess
from hookd.core.model.effects.efforts import OpenProject, SetRepository
from hookd.core.model.effects.messages import AddMessage, RegisterAgent, SetAgentStatus, Status
from hookd.core.model.effects.sessions import AddDir, EndSession, OpenSession, SetBranch
from hookd.core.model.effects.union import Effect
from hookd.core.model.fact_requests import GitBranch
from hookd.core.model.facts import Agent, Facts, Project, Session
from hookd.events.model import HookInput


def open_session(event: HookInput, facts: Facts, source: str) -> tuple[Facts, tuple[Effect, ...]]:
    """Return the facts with a new session, and the effects that store it.

    A subagent's session has its parent and shares the parent's effort. A session that starts ends
    those it follows; a session that is only seen for the first time ends none.
    """
    facts = without_unjoined_effort(facts)
    identity = facts.identity
    project, opened = project_of(facts, event.cwd)
    effort = facts.effort if facts.effort and facts.effort.active else None
    before = facts.parent or facts.previous
    same = before if before and before.claude_session_id == event.session_id else None
    session = Session(
        facts.next.session,
        event.session_id,
        agent_id=event.agent_id,
        owner=identity.agent,
        project_id=project.id if project else None,
        effort_id=effort.id if effort else None,
        parent_session_id=facts.parent.id if facts.parent else None,
        source=source,
        own_effort=effort is not None and _handed_on(facts),
        added_dirs=same.added_dirs if same else (),
        status=facts.parent.status if facts.parent else _status(source, facts),
        branch=same.branch if same else None,
        first_prompt=same.first_prompt if same else None,
        claimed=source == "seen",  # not known yet: its first call is compared with all claims
    )
    row = _row(event, facts, session)
    pids = (identity.pid,) if identity.pid and not event.agent_id else ()
    effects = (
        *opened,
        *_agent(facts),
        *(EndSession(old, _ending(old, source, facts)) for old in facts.superseded),
        row,
        *(AddDir(session.id, path) for path in session.added_dirs),
        *(RegisterProcess(session.id, pid) for pid in pids),
        *_unknown_version(row, facts),
    )
    agent = facts.agent or (Agent(identity.agent, status="working") if identity.agent else None)
    seated = replace(
        facts,
        session=session,
        project=project,
        effort=effort,
        agent=agent,
        policy_state={},
        injections=(),
    )
    return seated, (*effects, *(move_mail(facts.previous, session) if source == "seen" else ()))


def _unknown_version(row: OpenSession, facts: Facts) -> tuple[Effect, ...]:
    """Return the effect that reads the client's version, if no variable of Claude Code has it."""
    if row.client_process is None or facts.identity.client is not None:
        return ()
    return (ReadClientVersion(row.id, row.client_process),)


def _status(source: str, facts: Facts) -> Status:
    """Return the status of a new session: `idle` until its first prompt, unless it already runs."""
    begun = facts.identity.agent is None and source not in ("seen", "compact")
    return "idle" if begun else "working"


def update_branch(event: HookInput, facts: Facts) -> tuple[Effect, ...]:
    """Return the effect that stores the git branch of a session's folder, if it changed."""
    session = facts.session
    if session is None or session.agent_id or not event.cwd:
        return ()
    branch = facts.require(GitBranch(event.cwd))
    return () if branch == session.branch else (SetBranch(session.id, branch),)


def update_repository(event: HookInput, facts: Facts) -> tuple[Effect, ...]:
    """Return the effects that store the git branch, and the root that worktrees share."""
    project = facts.project
    if project is None or not event.cwd:
        return update_branch(event, facts)
    facts.require_all(GitBranch(event.cwd), PlaceOfFile(project.path))
    root = repository_root(project, facts)
    moved = () if root == project.repository else (SetRepository(project.id, root),)
    return (*update_branch(event, facts), *moved)


def repository_root(project: Project, facts: Facts) -> str:
    """Return the root that the worktrees of a project share; without git, the project's path."""
    place = facts.require(PlaceOfFile(project.path))
    return project.path if place is None or place.root == "/" else place.root


def _ending(old: int, source: str, facts: Facts) -> str:
    own = facts.session is not None and facts.session.id == old
    return "compact" if own and source == "compact" else "superseded"


def _handed_on(facts: Facts) -> bool:
    """Return whether the effort is inherited from the previous session, a parent or the agent."""
    owned = facts.agent is not None and facts.agent.effort_id is not None
    return owned or facts.previous is not None or facts.parent is not None


def project_of(facts: Facts, cwd: str | None) -> tuple[Project | None, tuple[Effect, ...]]:
    """Return the current project, and the effect that registers a new one."""
    path = facts.identity.project_dir or cwd or facts.identity.cwd
    if facts.project is not None or not path or not path.startswith("/"):
        return facts.project, ()
    project = Project(facts.next.project, path, path)
    return project, (OpenProject(project.id, project.path, project.name),)


def _agent(facts: Facts) -> tuple[Effect, ...]:
    who = facts.identity
    if who.agent is None:
        return ()
    return (
        RegisterAgent(
            who.agent,
            who.claims,
            who.targeted_claims,
            who.manages,
            who.parent,
            who.tmux_pane,
            who.tmux_socket,
            who.tmux_server,
            here=True,
        ),
        SetAgentStatus(who.agent, "working", facts.next.event),
    )


def _row(event: HookInput, facts: Facts, session: Session) -> OpenSession:
    client = "" if session.agent_id else request_origin(facts).client
    return OpenSession(
        id=session.id,
        claude_session_id=session.claude_session_id,
        agent_id=session.agent_id,
        agent_type=event.agent_type,
        owner=session.owner,
        project_id=session.project_id,
        effort_id=session.effort_id,
        parent_session_id=session.parent_session_id,
        prev_session_id=facts.previous.id if facts.previous else None,
        source=session.source,
        model=getattr(event, "model", None),
        pid=facts.identity.pid,
        cwd=event.cwd,
        transcript_path=event.transcript_path,
        own_effort=session.own_effort,
        run=facts.identity.run,
        status=_status(session.source, facts),
        tmux_pane=None if session.agent_id else facts.identity.tmux_pane,
        tmux_socket=None if session.agent_id else facts.identity.tmux_socket,
        tmux_server=None if session.agent_id else facts.identity.tmux_server,
        branch=session.branch,
        first_prompt=session.first_prompt,
        client_process=client or None,
        messaging_socket=None if session.agent_id else facts.identity.messaging_socket,
    )


def add_note(
    event: str,
    told: Mapping[str, Any],
    facts: Facts,
    *,
    tool: str | None = None,
    ref: str | None = None,
) -> tuple[Effect, ...]:
    """Return the effect that stores a note as a system message; with `ref`, once in a session."""
    session, effort = facts.session, facts.effort
    if session is None:
        return ()
    said = {"event": event} | {key: value for key, value in told.items() if value is not None}
    text = json.dumps(said, ensure_ascii=False, default=str)
    return (AddMessage(session.id, effort.id if effort else None, "system", text, tool, ref),)
