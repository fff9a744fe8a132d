"""Set the share of a session's context window in use, as the client's status line has it."""

from pydantic import Field

from hookd.core.model.effects.sessions import SetContextUsage
from hookd.core.model.errors import DomainError
from hookd.core.model.facts import Facts
from hookd.core.model.identity import Identity, Where
from hookd.core.model.method import Change, ChangeMethod, Example, RowId, Wire


class Params(Wire):
    """One of `sessionId` (a row's number) and `claudeSessionId`; `usage` is a share, 0.0 to 1.0."""

    session_id: RowId | None = None
    claude_session_id: str | None = None
    usage: float = Field(ge=0, le=1, allow_inf_nan=False)
    cost: float | None = Field(None, ge=0, allow_inf_nan=False)
    source: str = "rpc"


class Result(Wire):
    """The session's row and its values now."""

    session_id: int
    context_usage: float


def where(params: Params, identity: Identity) -> Where:
    """Find the session."""
    claude_id = params.claude_session_id or (
        None if params.session_id else identity.claude_session_id
    )
    return Where(identity, claude_session_id=claude_id, session_id=params.session_id)


def decide(params: Params, facts: Facts) -> Change:
    """Store the share with its source. NOT_FOUND without an open session."""
    if facts.session is None:
        raise DomainError("NOT_FOUND", "no open session is known by that id")
    effect = SetContextUsage(facts.session.id, params.usage, params.source, params.cost)
    return Change(Result(session_id=facts.session.id, context_usage=params.usage), (effect,))


METHOD = ChangeMethod(
    "session.updateContextUsage",
    Params,
    Result,
    where,
    decide,
    (Example({"claudeSessionId": "11c8d28b", "usage": 0.91}, says="NOT_FOUND"),),
)
