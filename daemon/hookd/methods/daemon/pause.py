"""Pause until a time: no policy and no user hook runs, all calls pass; events are recorded.

The pause ends automatically, also while no daemon runs. `hookd pause` is for a person at a
terminal; self-guard asks about an agent that requests it in any other way.
"""

from pydantic import AwareDatetime

from hookd.core.evaluation.pause import pause_until
from hookd.core.model.facts import Facts
from hookd.core.model.identity import daemon_only
from hookd.core.model.method import Change, ChangeMethod, Example, Wire


class Params(Wire):
    """`until` is a time with its zone, after now and not more than 8 hours away."""

    until: AwareDatetime


class Result(Wire):
    """When hooks are judged again, UTC."""

    paused_until: str


def decide(params: Params, facts: Facts) -> Change:
    """Pause, or move the end of the current pause."""
    effect = pause_until(params.until, facts)
    return Change(Result(paused_until=str(effect.until)), (effect,))


METHOD = ChangeMethod(
    "daemon.pause",
    Params,
    Result,
    daemon_only,
    decide,
    (Example({"until": "2026-01-31T08:10:00Z"}, says="all hooks pass for ten minutes"),),
    person=True,
)
