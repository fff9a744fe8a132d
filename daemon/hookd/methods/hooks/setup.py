"""The client was told to prepare the project (`--init`, `--maintenance`): it is recorded.

It comes before a window begins, or without one, so it opens no window by itself.
"""

from hookd.core.model.effects.union import Effect
from hookd.core.model.facts import Facts
from hookd.core.model.method import Example, HookResult
from hookd.events.model import Setup
from hookd.methods.hook_event import effects_event


class Result(HookResult):
    """What the client was told: `init` or `maintenance`."""

    trigger: str = "init"


def effects(_event: Setup, facts: Facts) -> tuple[Effect, ...]:
    """Cause nothing: the record is all."""
    return ()


def report(event: Setup, _facts: Facts) -> Result:
    """Report what it was told."""
    return Result(trigger=event.trigger)


METHOD = effects_event(
    "Setup",
    Setup,
    effects,
    report,
    Result,
    Example(
        {
            "session_id": "11c8d28b",
            "hook_event_name": "Setup",
            "cwd": "/work/orders",
            "trigger": "init",
        },
        says="silent; opens no window",
    ),
)
