"""Store the client's status line input, and return the line that hookd adds to it.

`hookd-statusline` calls this after each message of the model. The values of the context window, the
cost and the model are stored with the session; they are exact.
"""

from typing import Any

from hookd.core.context_window.status_line import StatusLineInput, read_status, status_line
from hookd.core.fleet.membership import silent
from hookd.core.model.effects.sessions import SetContextUsage, SetModel
from hookd.core.model.effects.union import Effect
from hookd.core.model.facts import Facts, Session
from hookd.core.model.identity import Identity, Where
from hookd.core.model.method import Change, ChangeMethod, Example, Wire
from hookd.events.context_usage import levels

_SOURCE = "statusline"


class Params(Wire):
    """`status` is the input of the client's status line command, unchanged."""

    status: dict[str, Any]


class Result(Wire):
    """The line, with the escapes of its colours; no other character in it needs one in JSON."""

    line: str


def where(params: Params, identity: Identity) -> Where:
    """Find the session."""
    told = read_status(params.status)
    return Where(identity, claude_session_id=told.session_id or None, cwd=identity.cwd)


def decide(params: Params, facts: Facts) -> Change:
    """Store the new values."""
    told = read_status(params.status)
    line = status_line(told, facts, levels(facts.options).overflow, silent(facts))
    session = facts.session
    return Change(Result(line=line), _effects(told, session) if session else ())


def _effects(told: StatusLineInput, session: Session) -> tuple[Effect, ...]:
    effects: tuple[Effect, ...] = ()
    other = told.model is not None and told.model != session.model
    if told.model is not None and other:
        effects += (SetModel(session.id, told.model),)
    known = (session.context_usage, session.context_source, session.cost, session.window_tokens)
    if told.usage is not None and (other or known != (told.usage, _SOURCE, told.cost, told.window)):
        effects += (
            SetContextUsage(session.id, told.usage, _SOURCE, told.cost, window=told.window),
        )
    return effects


METHOD = ChangeMethod(
    "session.statusLine",
    Params,
    Result,
    where,
    decide,
    (
        Example(
            {"status": {"session_id": "11c8d28b", "context_window": {"used_percentage": 41}}},
            says="the line; No session where hookd knows none by this id",
        ),
    ),
)
