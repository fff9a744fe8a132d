"""Ask whether a session has to be woken for mail: it is idle, and mail has come.

Each mail wakes a session once, mail of low priority never. For the process that waits beside an
idle Claude Code, `hookd mail wake`: the latest one of a session replaces the others.
"""

from pydantic import Field

from hookd.core.mail.waking import wake, wake_line
from hookd.core.model.facts import Facts
from hookd.core.model.identity import Identity, Where
from hookd.core.model.method import Change, ChangeMethod, Example, Wire


class Params(Wire):
    """`conversation` is the client's session id, `waker` a name of the process that waits.

    `first` is true at its first request.
    """

    conversation: str = Field(min_length=1, max_length=200)
    waker: str = Field(min_length=1, max_length=40, pattern=r"^[0-9a-f-]+$")
    first: bool = False


class Result(Wire):
    """`line` is what to say, "" for nothing; `over`: the process need not wait any longer."""

    line: str
    over: bool


def where(params: Params, identity: Identity) -> Where:
    """Find the session."""
    return Where(identity, params.conversation)


def decide(params: Params, facts: Facts) -> Change:
    """Decide it."""
    found = wake(facts, params.waker, first=params.first)
    line = wake_line(found.count) if found.count else ""
    return Change(Result(line=line, over=found.over), found.effects)


METHOD = ChangeMethod(
    "mail.wake",
    Params,
    Result,
    where,
    decide,
    (Example({"conversation": "11c8d28b", "waker": "7-1"}, says="over without a session"),),
)
