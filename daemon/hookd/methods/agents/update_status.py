"""Set an agent's status manually: error, attention, working, checked, idle or done."""

from typing import Annotated

from pydantic import BeforeValidator, Field

from hookd.core.model.effects.messages import SetAgentStatus, Status
from hookd.core.model.errors import DomainError
from hookd.core.model.facts import Facts
from hookd.core.model.identity import Identity, Where
from hookd.core.model.method import Change, ChangeMethod, Example, Wire


def _named(status: object) -> object:
    return "attention" if status == "unchecked" else status


class Params(Wire):
    """`id` is its AGENT_ID. `unchecked` is an alias of attention."""

    id: str = Field(min_length=1, max_length=200)
    status: Annotated[Status, BeforeValidator(_named)]


class Result(Wire):
    """The agent and its status before and after."""

    id: str
    previous: str
    status: Status


def where(params: Params, _identity: Identity) -> Where:
    """Locate the agent."""
    return Where(Identity(agent=params.id))


def decide(params: Params, facts: Facts) -> Change:
    """Set the status. NOT_FOUND if there is no such agent."""
    agent = facts.agent
    if agent is None:
        raise DomainError("NOT_FOUND", f"no agent is called {params.id!r}")
    result = Result(id=agent.id, previous=agent.status, status=params.status)
    return Change(result, (SetAgentStatus(agent.id, params.status, facts.next.event - 1),))


METHOD = ChangeMethod(
    "agents.updateStatus",
    Params,
    Result,
    where,
    decide,
    (Example({"id": "orders", "status": "checked"}, says="NOT_FOUND"),),
)
