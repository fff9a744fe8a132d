"""Register an agent, or change its description; its status and its effort stay."""

from pydantic import Field

from hookd.core.model.effects.messages import RegisterAgent
from hookd.core.model.errors import DomainError
from hookd.core.model.facts import Facts
from hookd.core.model.identity import Identity, Where
from hookd.core.model.method import Change, ChangeMethod, Example, Wire


class Params(Wire):
    """`id` is its AGENT_ID; a field that is left out stays as it is."""

    id: str = Field(min_length=1, max_length=200)
    claims: str | None = None
    targeted_claims: str | None = None
    manages: str | None = None
    parent: str | None = None
    tmux_pane: str | None = Field(None, pattern=r"^%[0-9]{1,9}$")
    tmux_socket: str | None = None


class Result(Wire):
    """The agent; `known` if it was registered before."""

    id: str
    known: bool


def where(params: Params, _identity: Identity) -> Where:
    """Locate the agent."""
    return Where(Identity(agent=params.id))


def decide(params: Params, facts: Facts) -> Change:
    """Store the agent. INVALID_AGENT for a reserved name, or a parent of its own."""
    if params.id == "default":
        raise DomainError("INVALID_AGENT", "`default` is reserved: it means no agent")
    if params.parent == params.id:
        raise DomainError("INVALID_AGENT", "an agent is not its own parent")
    effect = RegisterAgent(
        params.id,
        params.claims,
        params.targeted_claims,
        params.manages,
        params.parent,
        params.tmux_pane,
        params.tmux_socket,
    )
    return Change(Result(id=params.id, known=facts.agent is not None), (effect,))


METHOD = ChangeMethod(
    "agents.register",
    Params,
    Result,
    where,
    decide,
    (Example({"id": "orders", "claims": "src/orders/*"}, says="orders"),),
)
