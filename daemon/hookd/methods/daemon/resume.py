"""End a pause early: hooks are judged from the next event."""

from hookd.core.evaluation.pause import paused
from hookd.core.model.effects.messages import Pause
from hookd.core.model.facts import Facts
from hookd.core.model.identity import daemon_only
from hookd.core.model.method import Change, ChangeMethod, Example, Wire


class Params(Wire):
    """No parameters."""


class Result(Wire):
    """Whether there was a pause."""

    was_paused: bool


def decide(_params: Params, facts: Facts) -> Change:
    """End the pause."""
    return Change(Result(was_paused=paused(facts)), (Pause(None),))


METHOD = ChangeMethod(
    "daemon.resume", Params, Result, daemon_only, decide, (Example({}),), person=True
)
