"""A teammate of an agent team is about to idle: it is registered as an agent, and done.

Its name is TEAM:NAME; its parent is the agent of the session that sends the event.
"""

from hookd.core.model.effects.messages import RegisterAgent, SetAgentStatus
from hookd.core.model.effects.union import Effect
from hookd.core.model.facts import Facts
from hookd.core.model.method import Example, HookResult
from hookd.core.sessions.open_session import add_note
from hookd.events.model import TeammateIdle
from hookd.methods.hook_event import effects_event
from hookd.redaction.redact import redact


class Result(HookResult):
    """The teammate, by its name as an agent."""

    agent: str = ""


def name(event: TeammateIdle) -> str:
    """Return the teammate's name as an agent, without secrets: it is a key that is stored."""
    team = f"{event.team_name}:" if event.team_name else ""
    return redact(f"{team}{event.teammate_name}")


def effects(event: TeammateIdle, facts: Facts) -> tuple[Effect, ...]:
    """Register the teammate as done; add a note."""
    who, number = name(event), facts.next.event
    parent = facts.agent.id if facts.agent else None
    told = {"teammateName": event.teammate_name, "teamName": event.team_name}
    changes: tuple[Effect, ...] = (
        RegisterAgent(who, parent=parent if parent != who else None),
        SetAgentStatus(who, "done", number),
        *add_note("teammate_idle", told, facts),
    )
    return changes


def report(event: TeammateIdle, _facts: Facts) -> Result:
    """Report the teammate."""
    return Result(agent=name(event))


METHOD = effects_event(
    "TeammateIdle",
    TeammateIdle,
    effects,
    report,
    Result,
    Example(
        {
            "session_id": "11c8d28b",
            "hook_event_name": "TeammateIdle",
            "teammate_name": "ann",
            "team_name": "orders",
        },
        says="the agent orders:ann is done",
    ),
)
