"""Announce a check: the next PreToolUse in the session of this nonce is denied, once.

`hookd doctor` sends it through the installed command line, which sees the nonce alone: a denial
that contains the answer is the daemon's. The event is stored with the kind `canary`, and changes no
counters, sessions, agents or rules.
"""

from pydantic import Field

from hookd.core.evaluation import canary
from hookd.core.model.effects.after_commit import ArmCanary
from hookd.core.model.facts import Facts
from hookd.core.model.identity import daemon_only
from hookd.core.model.method import Change, ChangeMethod, Example, Wire

_TEXT = r"^[A-Za-z0-9]{8,64}$"


class Params(Wire):
    """Two unique texts: `nonce` names the session, `answer` is in the denial."""

    nonce: str = Field(pattern=_TEXT)
    answer: str = Field(pattern=_TEXT)


class Result(Wire):
    """The session_id that the event must have; its call is Bash with `hookd-canary`."""

    session_id: str


def decide(params: Params, _facts: Facts) -> Change:
    """Expect the event."""
    effect = ArmCanary(params.nonce, params.answer)
    return Change(Result(session_id=canary.session_id(params.nonce)), (effect,))


METHOD = ChangeMethod(
    "daemon.canary",
    Params,
    Result,
    daemon_only,
    decide,
    (
        Example(
            {"nonce": "0f3a9c21", "answer": "77b0d4e8"}, says="the session hookd-canary-0f3a9c21"
        ),
    ),
)
