"""Take an agent off the board: one that was registered by mistake, or that will not come back.

Its sessions and its effort stay. Should it be heard of again, it is known anew.
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
    """The agent that is gone."""

    id: str


def where(params: Params, _identity: Identity) -> Where:
    """Point at the agent."""
    return Where(Identity(agent=params.id))


def decide(params: Params, facts: Facts) -> Change:
    """Remove it. NOT_FOUND where no such agent is known."""
    if facts.agent is None:
        raise DomainError("NOT_FOUND", f"no agent is called {params.id!r}")
    return Change(Result(id=params.id), (RemoveAgent(params.id),))


METHOD = ChangeMethod(
    "agents.remove", Params, Result, where, decide, (Example({"id": "x"}, says="NOT_FOUND"),)
)
