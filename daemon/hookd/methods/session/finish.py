"""End a session's row, with or without a handover for the next window."""

from typing import Any

from hookd.core.context_window.handover import parse_handover
from hookd.core.model.effects.sessions import EndSession, SaveHandover
from hookd.core.model.effects.union import Effect
from hookd.core.model.errors import DomainError
from hookd.core.model.facts import Facts
from hookd.core.model.identity import Identity, Where
from hookd.core.model.method import Change, ChangeMethod, Example, RowId, Wire


class Params(Wire):
    """`sessionId` is a row's number, else it is the caller's own."""

    session_id: RowId | None = None
    dehydration_payload: dict[str, Any] | None = None


class Result(Wire):
    """The row that was ended, and whether it left a handover."""

    session_id: int
    handover: bool


def where(params: Params, identity: Identity) -> Where:
    """Find the session."""
    own = identity.claude_session_id if params.session_id is None else None
    return Where(identity, own, session_id=params.session_id)


def decide(params: Params, facts: Facts) -> Change:
    """End it, and save its handover. NOT_FOUND, ALREADY_ENDED, INVALID_HANDOVER."""
    session = facts.session
    if session is None:
        raise DomainError("NOT_FOUND", "no session is known by that number")
    if session.ended_at is not None:
        raise DomainError("ALREADY_ENDED", f"session {session.id} has ended already")
    effects: tuple[Effect, ...] = (EndSession(session.id, "finished"),)
    if params.dehydration_payload is not None:
        payload = parse_handover(params.dehydration_payload)
        effects = (SaveHandover(session.id, payload.model_dump_json(by_alias=True)), *effects)
    return Change(Result(session_id=session.id, handover=len(effects) > 1), effects)


METHOD = ChangeMethod(
    "session.finish", Params, Result, where, decide, (Example({}, says="NOT_FOUND"),)
)
