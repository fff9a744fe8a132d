"""The session's model was switched: store the new one, and the share of its window in use.

The status line's values described the old model's window, so they are dropped.
"""

from hookd.core.context_window.context_events import after_switch
from hookd.core.model.facts import Facts
from hookd.core.model.method import Decision, Example, HookResult
from hookd.events.model import ModelSwitch
from hookd.methods.hook_event import hook_event


class Result(HookResult):
    """The new model."""

    model: str | None = None


def decide(event: ModelSwitch, facts: Facts) -> Decision:
    """Store the model, and the share in use."""
    return Decision(*after_switch(event, facts))


def report(event: ModelSwitch, _facts: Facts) -> Result:
    """Report the model."""
    return Result(model=event.to_model or None)


METHOD = hook_event(
    "PostModelSwitch",
    ModelSwitch,
    decide,
    report,
    Result,
    Example(
        {
            "session_id": "11c8d28b",
            "hook_event_name": "PostModelSwitch",
            "to_model": "claude-sonnet-5-5",
        },
        says="keeps the model",
    ),
)
