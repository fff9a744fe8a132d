"""The home of an agent's status: error > attention > working > checked > idle > done.

Each change keeps the event that caused it. What needs a person comes before what does not, so that
the highest of several agents is that of their window.
"""

from collections.abc import Iterable

from hookd.core.effects import Effect, SetAgentStatus, Status
from hookd.core.facts import Facts

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
    """Return the effect that gives the agent at hand this status, where it has another."""
    agent = facts.agent
    if agent is None or agent.status == status:
        return ()
    return (SetAgentStatus(agent.id, status, facts.next.event),)


def working(facts: Facts) -> tuple[Effect, ...]:
    """Return the effect that marks the agent at hand as working: an error is over, too."""
    return becomes("working", facts)


def after_stop(background_tasks: object) -> Status:
    """Return the status at the end of a turn: what runs in the background is still work."""
    return "working" if isinstance(background_tasks, list) and background_tasks else "done"
