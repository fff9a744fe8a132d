"""Start a loop: an agent is given one task again after each turn until it outputs a promise.

The policy ralph-loop describes how it continues and ends. It replaces a running loop. It is not
started if that policy is off, or if the user has said that nothing may continue automatically;
`why` says so.
"""

from pydantic import Field

from hookd.core.model.errors import DomainError
from hookd.core.model.fact_requests import StateOfPolicy, WindowsOfAgent
from hookd.core.model.facts import Facts
from hookd.core.model.identity import Identity, Where
from hookd.core.model.method import Change, ChangeMethod, Example, RowId, Wire
from hookd.core.sessions.loop import (
    MAX_PROMISE_CHARS,
    MAX_ROUNDS,
    MAX_TASK_CHARS,
    POLICY_NAME,
    PROMISE,
    new_loop,
    store_loop,
)
from hookd.policies.ralph_loop import Options
from hookd.policy_support.continuation import STOPPED, heeded


class Params(Wire):
    """`prompt` is the task; `sessionId` a window's row, else the caller's, or the one here."""

    prompt: str = Field(min_length=1, max_length=MAX_TASK_CHARS, pattern=r"\S")
    promise: str | None = Field(None, max_length=MAX_PROMISE_CHARS, pattern=PROMISE)
    max: int | None = Field(None, ge=1, le=MAX_ROUNDS)
    session_id: RowId | None = None


class Result(Wire):
    """The loop's session. If it was not started, `why` is the reason."""

    session_id: int
    started: bool
    why: str
    promise: str
    max: int
    replaced: bool


def where(params: Params, identity: Identity) -> Where:
    """Find the window that is named, else the caller's."""
    own = identity.claude_session_id if params.session_id is None else None
    return Where(identity, own, session_id=params.session_id, cwd=identity.cwd)


def decide(params: Params, facts: Facts) -> Change:
    """Store the loop. NOT_FOUND and ALREADY_ENDED: there is no open window for it."""
    number = _window(params, facts)
    found = facts.options.get(POLICY_NAME)
    options = found if isinstance(found, Options) else Options()
    stands = [one.session_id for one in facts.require(StateOfPolicy(POLICY_NAME)) or ()]
    stopped = [one.session_id for one in facts.require(StateOfPolicy(STOPPED)) or ()]
    loop = new_loop(
        params.prompt, params.promise or options.promise, params.max or options.max, facts
    )
    why = ""
    if options.mode == "off":
        why = f"the policy {POLICY_NAME} is off; turn it on with hookd policy enable {POLICY_NAME}"
    elif number in stopped and heeded(facts):
        why = "the user has said that nothing may continue automatically in this conversation"
    result = Result(
        session_id=number,
        started=not why,
        why=why,
        promise=loop.promise,
        max=loop.max,
        replaced=number in stands and not why,
    )
    return Change(result, () if why else (store_loop(loop, number),))


def _window(params: Params, facts: Facts) -> int:
    session = facts.session
    if session is not None and session.agent_id:
        raise DomainError("NOT_FOUND", f"session {session.id} is a subagent's, no conversation's")
    if session is not None and session.ended_at is not None:
        raise DomainError("ALREADY_ENDED", f"session {session.id} has ended already")
    if session is not None:
        return session.id
    if params.session_id is not None or facts.identity.claude_session_id:
        raise DomainError("NOT_FOUND", "no session is known by that number")
    project = facts.project.id if facts.project else None
    here = facts.require(WindowsOfAgent(project, facts.identity.agent)) or ()
    if len(here) != 1:
        open_ = f"several sessions are open here: {', '.join(map(str, here))}"
        raise DomainError("NOT_FOUND", open_ if here else "no session is open here")
    return here[0]


METHOD = ChangeMethod(
    "loop.start",
    Params,
    Result,
    where,
    decide,
    (Example({"prompt": "Add pages to GET /orders.", "max": 20}, says="NOT_FOUND"),),
)
