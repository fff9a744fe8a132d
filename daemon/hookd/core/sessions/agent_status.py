"""Status of a session: error > attention > working > checked > idle > done.

Every window has one; that of a window with an AGENT_ID is its agent's. A subagent's events change
the status of the window it runs in. Each change keeps the event that caused it. What needs a person
comes before what does not, so that the highest of several agents is that of their window in tmux.
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
"""Kinds of notifications for which an agent waits for a person; of the others none is."""


def highest(statuses: Iterable[str]) -> Status | None:
    """Return the highest of these statuses, None where none is one."""
    given = frozenset(statuses)
    return next((status for status in ORDER if status in given), None)


def lower(status: Status, than: Status) -> bool:
    """Whether a status needs a person less than another."""
    return ORDER.index(status) > ORDER.index(than)


def becomes(status: Status, facts: Facts) -> tuple[Effect, ...]:
    """Return the effect that gives the agent or the window at hand a status, unless it has it."""
    known = facts.agent or facts.session
    return () if known is None or known.status == status else stands(status, facts)


def stands(status: Status, facts: Facts) -> tuple[Effect, ...]:
    """Return the effect that gives the agent or the window at hand a status."""
    if facts.agent is not None:
        return (SetAgentStatus(facts.agent.id, status, facts.next.event),)
    session = facts.session
    if session is None:
        return ()
    return (SetSessionStatus(session.parent_session_id or session.id, status, facts.next.event),)


def working(facts: Facts) -> tuple[Effect, ...]:
    """Return the effect that marks the agent or window at hand as working, also after an error."""
    return becomes("working", facts)


def after_stop(background_tasks: object) -> Status:
    """Return the status at the end of a turn: what runs in the background is still work."""
    return "working" if isinstance(background_tasks, list) and background_tasks else "done"
