"""Remove an agent from the fleet, for example after a mistaken registration.

Its sessions and its effort stay. An event of it registers it again.
"""

from pydantic import Field

from hookd.core.model.effects.messages import RemoveAgent
from hookd.core.model.errors import DomainError
from hookd.core.model.facts import Facts
from hookd.core.model.identity import Identity, Where
from hookd.core.model.method import Change, ChangeMethod, Example, Wire


class Params(Wire):
    """`id` is its AGENT_ID."""

    id: str = Field(min_length=1, max_length=200)


class Result(Wire):
    """The agent that was removed."""

    id: str


def where(params: Params, _identity: Identity) -> Where:
    """Locate the agent."""
    return Where(Identity(agent=params.id))


def decide(params: Params, facts: Facts) -> Change:
    """Remove the agent. NOT_FOUND if there is none."""
    if facts.agent is None:
        raise DomainError("NOT_FOUND", f"no agent is called {params.id!r}")
    return Change(Result(id=params.id), (RemoveAgent(params.id),))


METHOD = ChangeMethod(
    "agents.remove", Params, Result, where, decide, (Example({"id": "x"}, says="NOT_FOUND"),)
)
