"""Pause until a time: no policy and no user hook runs, all calls pass; events are recorded.

The pause ends automatically, also while no daemon runs. `hookd pause` is for a person at a
terminal; self-guard asks about an agent that requests it in any other way.
"""

from pydantic import AwareDatetime

from hookd.core.evaluation.pause import MAX_PAUSE
from hookd.core.model.effects.messages import Pause
from hookd.core.model.errors import DomainError
from hookd.core.model.facts import Facts, iso
from hookd.core.model.identity import daemon_only
from hookd.core.model.method import Change, ChangeMethod, Example, Wire

_HOURS = round(MAX_PAUSE.total_seconds() / 3600)


class Params(Wire):
    """`until` is a time with its zone, after now and not more than 8 hours away."""

    until: AwareDatetime


class Result(Wire):
    """When hooks are judged again, UTC."""

    paused_until: str


def decide(params: Params, facts: Facts) -> Change:
    """Pause, or move the end of the current pause."""
    if params.until <= facts.now:
        raise DomainError("INVALID_PAUSE", f"{iso(params.until)} is over: it is {facts.at}")
    if params.until - facts.now > MAX_PAUSE:
        raise DomainError("INVALID_PAUSE", f"a pause has at most {_HOURS} hours")
    until = iso(params.until)
    return Change(Result(paused_until=until), (Pause(until),))


METHOD = ChangeMethod(
    "daemon.pause",
    Params,
    Result,
    daemon_only,
    decide,
    (Example({"until": "2026-01-31T08:10:00Z"}, says="all hooks pass for ten minutes"),),
    person=True,
)
