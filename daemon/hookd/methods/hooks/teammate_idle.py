"""A teammate of an agent team is about to idle: it is known as an agent, and done.

Its name is TEAM:NAME; its parent is the agent whose session tells of it.
"""

from hookd.core.model.effects.messages import RegisterAgent, SetAgentStatus
from hookd.core.model.effects.union import Effect
from hookd.core.model.facts import Facts
from hookd.core.model.method import Decision, Example, HookMethod, HookResult
from hookd.core.model.verdict import Outcome
from hookd.core.sessions.open_session import add_note
from hookd.events.model import TeammateIdle
from hookd.redaction.redact import redact


class Result(HookResult):
    """The teammate, by its name as an agent."""

    agent: str = ""


def name(event: TeammateIdle) -> str:
    """Return the teammate's name as an agent, without secrets: it is a key that is stored."""
    team = f"{event.team_name}:" if event.team_name else ""
    return redact(f"{team}{event.teammate_name}")


def decide(event: TeammateIdle, facts: Facts) -> Decision:
    """Register the teammate as done; keep a note."""
    who, number = name(event), facts.next.event
    parent = facts.agent.id if facts.agent else None
    told = {"teammateName": event.teammate_name, "teamName": event.team_name}
    effects: tuple[Effect, ...] = (
        RegisterAgent(who, parent=parent if parent != who else None),
        SetAgentStatus(who, "done", number),
        *add_note("teammate_idle", told, facts),
    )
    return Decision(facts, effects)


def answer(event: TeammateIdle, _facts: Facts, _outcome: Outcome) -> Result:
    """Report the teammate."""
    return Result(agent=name(event))


METHOD = HookMethod(
    name="hooks.teammateIdle",
    event="TeammateIdle",
    params=TeammateIdle,
    result=Result,
    decide=decide,
    answer=answer,
    examples=(
        Example(
            {
                "session_id": "11c8d28b",
                "hook_event_name": "TeammateIdle",
                "teammate_name": "ann",
                "team_name": "orders",
            },
            says="the agent orders:ann is done",
        ),
    ),
)
