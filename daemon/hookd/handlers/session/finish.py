"""End a session's row, with or without a handover for the next window."""

from typing import Any

from pydantic import ValidationError

from hookd.core.effects import Effect, EndSession, SaveHandover
from hookd.core.errors import DomainError
from hookd.core.facts import Facts
from hookd.core.identity import Identity, Where
from hookd.core.method import Change, ChangeMethod, Example, RowId, Wire
from hookd.core.refusal import refusal
from hookd.core.telling.handover import Payload


class Params(Wire):
    """`sessionId` is a row's number, else it is the asker's own."""

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
    """End it, and keep what it leaves, at once. NOT_FOUND, ALREADY_ENDED, INVALID_HANDOVER."""
    session = facts.session
    if session is None:
        raise DomainError("NOT_FOUND", "no session is known by that number")
    if session.ended_at is not None:
        raise DomainError("ALREADY_ENDED", f"session {session.id} has ended already")
    effects: tuple[Effect, ...] = (EndSession(session.id, "finished"),)
    if params.dehydration_payload is not None:
        effects = (_saved(session.id, params.dehydration_payload), *effects)
    return Change(Result(session_id=session.id, handover=len(effects) > 1), effects)


def _saved(session_id: int, payload: dict[str, Any]) -> SaveHandover:
    try:
        kept = Payload.model_validate(payload)
    except ValidationError as error:
        field, said = refusal(error, "there is no such field")
        raise DomainError("INVALID_HANDOVER", f"{field or 'payload'}: {said}") from error
    return SaveHandover(session_id, kept.model_dump_json(by_alias=True))


METHOD = ChangeMethod(
    "session.finish", Params, Result, where, decide, (Example({}, says="NOT_FOUND"),)
)
