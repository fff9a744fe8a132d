"""Status of a session or agent: error > attention > working > checked > idle > done.

Every session has one; that of a session with an AGENT_ID is its agent's. A subagent's events change
the status of its parent session. Each change is stored with the event that caused it. Statuses that
need a person are higher, so a tmux window shows the highest status of its agents.
"""

from collections.abc import Iterable

from hookd.core.model.effects.messages import SetAgentStatus, Status
from hookd.core.model.effects.sessions import SetSessionStatus
from hookd.core.model.effects.union import Effect
from hookd.core.model.facts import Facts

ORDER: tuple[Status, ...] = ("error", "attention", "working", "checked", "idle", "done")
"""The statuses, the highest first."""

ATTENTION = frozenset(
    {
        "permission_prompt",
        "elicitation_dialog",
        "elicitation_url_dialog",
        "agent_needs_input",
        "idle_prompt",
    }
)
"""Kinds of notifications that mean that an agent waits for a person."""


def highest(statuses: Iterable[str]) -> Status | None:
    """Return the highest of these statuses, None without a valid one."""
    given = frozenset(statuses)
    return next((status for status in ORDER if status in given), None)


def lower(status: Status, than: Status) -> bool:
    """Return whether a status is lower than another."""
    return ORDER.index(status) > ORDER.index(than)


def becomes(status: Status, facts: Facts) -> tuple[Effect, ...]:
    """Return the effect that sets the status of the current agent or session, if it changes."""
    known = facts.agent or facts.session
    return () if known is None or known.status == status else stands(status, facts)


def stands(status: Status, facts: Facts) -> tuple[Effect, ...]:
    """Return the effect that sets the status of the current agent or session."""
    if facts.agent is not None:
        return (SetAgentStatus(facts.agent.id, status, facts.next.event),)
    session = facts.session
    if session is None:
        return ()
    return (SetSessionStatus(session.parent_session_id or session.id, status, facts.next.event),)


def working(facts: Facts) -> tuple[Effect, ...]:
    """Return the effect that sets the current agent or session to working, also after an error."""
    return becomes("working", facts)


def after_stop(background_tasks: object) -> Status:
    """Return the status at the end of a turn: `working` if background tasks run, else `done`."""
    return "working" if isinstance(background_tasks, list) and background_tasks else "done"
