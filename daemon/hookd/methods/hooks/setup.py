"""The client prepares the project (`--init`, `--maintenance`): the event is recorded.

It precedes a window, or comes without one, so it opens no window.
"""

from hookd.core.model.effects.union import Effect
from hookd.core.model.facts import Facts
from hookd.core.model.method import Example, HookResult
from hookd.events.model import Setup
from hookd.methods.hook_event import effects_event


class Result(HookResult):
    """The client's trigger: `init` or `maintenance`."""

    trigger: str = "init"


def effects(_event: Setup, facts: Facts) -> tuple[Effect, ...]:
    """Return no effects: the event is recorded anyway."""
    return ()


def report(event: Setup, _facts: Facts) -> Result:
    """Report the trigger."""
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
