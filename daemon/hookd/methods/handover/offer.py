"""Give a handover to the next window of one supervised run, and to no other.

`hookd handover resume` calls this before it starts a client. The handover counts as pending again,
although a window has received it or three have been offered it; parts of it that wait for another
window are withdrawn. Without `runId` it is for any window again.
"""

from pydantic import Field

from hookd.core.context_window.handover import restart_prompt
from hookd.core.model.effects.sessions import ReserveHandover
from hookd.core.model.errors import DomainError
from hookd.core.model.facts import Facts
from hookd.core.model.identity import RUN, Identity, Where
from hookd.core.model.method import Change, ChangeMethod, Example, RowId, Wire


class Params(Wire):
    """`sessionId` is the row of the window that left the handover; `runId` is the run's id."""

    session_id: RowId
    run_id: str | None = Field(None, pattern=f"^{RUN.pattern}$")


class Result(Wire):
    """The window that left it; `prompt` is the first prompt of the client that continues."""

    session_id: int
    prompt: str


def where(params: Params, identity: Identity) -> Where:
    """Find the window that is named."""
    return Where(identity, session_id=params.session_id, cwd=identity.cwd)


def decide(params: Params, facts: Facts) -> Change:
    """Reserve it. NOT_FOUND if the window is unknown or left no handover."""
    session = facts.session
    if session is None or not session.handover:
        raise DomainError("NOT_FOUND", f"session {params.session_id} left no handover")
    result = Result(session_id=session.id, prompt=restart_prompt(facts.effort))
    return Change(result, (ReserveHandover(session.id, params.run_id),))


def _for_person(_params: Params, facts: Facts) -> bool:
    """Return whether the handover is of another session than the caller's own."""
    own = facts.identity.claude_session_id
    return facts.session is None or facts.session.claude_session_id != own


METHOD = ChangeMethod(
    "handover.offer",
    Params,
    Result,
    where,
    decide,
    (
        Example(
            {"sessionId": 12, "runId": "0b6a6f0e-2f4f-4a0e-9d6c-6f1f6a0c2f11"},
            says="NOT_FOUND",
        ),
    ),
    person=_for_person,
)
