"""Cancel a loop: of a session that is named, the caller's own, or else all of the project."""

from hookd.core.model.errors import DomainError
from hookd.core.model.fact_requests import SavedState, StateOfPolicy
from hookd.core.model.facts import Facts
from hookd.core.model.identity import Identity, Where
from hookd.core.model.method import Change, ChangeMethod, Example, RowId, Wire
from hookd.core.sessions.loop import POLICY_NAME, store_loop


class Params(Wire):
    """`sessionId` is a row's number, of any window of the conversation."""

    session_id: RowId | None = None


class Result(Wire):
    """The sessions whose loops have ended."""

    sessions: list[int]


def where(params: Params, identity: Identity) -> Where:
    """Find the window that is named, else the caller's."""
    own = identity.claude_session_id if params.session_id is None else None
    return Where(identity, own, session_id=params.session_id, cwd=identity.cwd)


def decide(params: Params, facts: Facts) -> Change:
    """End the loops. NOT_FOUND if there is none."""
    loops = facts.require(StateOfPolicy(POLICY_NAME)) or ()
    meant = [one.session_id for one in loops if _meant(one, params, facts)]
    if not meant:
        named = "here" if params.session_id is None else f"in session {params.session_id}"
        raise DomainError("NOT_FOUND", f"no loop is running {named}")
    return Change(Result(sessions=meant), tuple(store_loop(None, number) for number in meant))


def _meant(loop: SavedState, params: Params, facts: Facts) -> bool:
    if facts.session is not None:
        return loop.claude_session_id == facts.session.claude_session_id
    asked = params.session_id is not None or facts.identity.claude_session_id is not None
    here = facts.project is not None and loop.project == facts.project.path
    return here and not asked


METHOD = ChangeMethod(
    "loop.cancel", Params, Result, where, decide, (Example({}, says="NOT_FOUND"),)
)
