"""The session's model is about to be switched: store the number of tokens in the window.

The switch is never blocked, and nothing is reported. It may still be cancelled, so the stored share
is that of the current model's window.
"""

from hookd.core.context_window.context_events import before_switch, usage_after_switch
from hookd.core.model.facts import Facts
from hookd.core.model.method import Decision, Example, HookResult
from hookd.events.model import ModelSwitch
from hookd.methods.hook_event import hook_event


class Result(HookResult):
    """The share of the new model's window that would be in use, 0.0 to 1.0."""

    context_usage: float | None = None


def decide(event: ModelSwitch, facts: Facts) -> Decision:
    """Store the share in use."""
    return Decision(*before_switch(event, facts))


def report(event: ModelSwitch, facts: Facts) -> Result:
    """Report the share in use after the switch."""
    return Result(context_usage=usage_after_switch(event, facts))


METHOD = hook_event(
    "PreModelSwitch",
    ModelSwitch,
    decide,
    report,
    Result,
    Example(
        {
            "session_id": "11c8d28b",
            "hook_event_name": "PreModelSwitch",
            "from_model": "claude-opus-5-5",
            "to_model": "claude-haiku-4-5",
            "context_tokens": 150_000,
        },
        says="the window of the new model would be 75 % full",
    ),
)
