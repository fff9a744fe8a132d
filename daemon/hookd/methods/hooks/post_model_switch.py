"""The session's model was switched: its row knows the new one, and how full that one's window is.

What a status line told of the window was told of the old model's; it counts no more.
"""

from hookd.core.context_window.context_events import after_switch
from hookd.core.model.facts import Facts
from hookd.core.model.method import Decision, Example, HookResult
from hookd.events.model import ModelSwitch
from hookd.methods.hook_event import hook_event


class Result(HookResult):
    """The model from now on."""

    model: str | None = None


def decide(event: ModelSwitch, facts: Facts) -> Decision:
    """Keep the model, and the share in use."""
    return Decision(*after_switch(event, facts))


def report(event: ModelSwitch, _facts: Facts) -> Result:
    """Report it."""
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
