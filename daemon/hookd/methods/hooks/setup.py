"""The client was told to prepare the project (`--init`, `--maintenance`): it is recorded.

It comes before a window begins, or without one, so it opens no window by itself.
"""

from hookd.core.model.facts import Facts
from hookd.core.model.method import Decision, Example, HookMethod, HookResult
from hookd.core.model.verdict import Outcome
from hookd.events.model import Setup


class Result(HookResult):
    """What the client was told: `init` or `maintenance`."""

    trigger: str = "init"


def decide(_event: Setup, facts: Facts) -> Decision:
    """Cause nothing: the record is all."""
    return Decision(facts)


def answer(event: Setup, _facts: Facts, _outcome: Outcome) -> Result:
    """Report what it was told."""
    return Result(trigger=event.trigger)


METHOD = HookMethod(
    name="hooks.setup",
    event="Setup",
    params=Setup,
    result=Result,
    decide=decide,
    answer=answer,
    examples=(
        Example(
            {
                "session_id": "11c8d28b",
                "hook_event_name": "Setup",
                "cwd": "/work/orders",
                "trigger": "init",
            },
            says="silent; opens no window",
        ),
    ),
)
