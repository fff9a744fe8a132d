"""The session's model is about to be switched: the event says how many tokens the window holds.

It is never held up, and nothing is said. A switch may still be called off, so the share in use that
is kept is that of the window as it is.
"""

from hookd.core.context_window.context_events import before_switch, usage_after_switch
from hookd.core.model.facts import Facts
from hookd.core.model.method import Decision, Example, HookResult
from hookd.events.model import ModelSwitch
from hookd.methods.hook_event import hook_event


class Result(HookResult):
    """How full the window of the model that is switched to would be, 0.0 to 1.0."""

    context_usage: float | None = None


def decide(event: ModelSwitch, facts: Facts) -> Decision:
    """Keep how full the window is."""
    return Decision(*before_switch(event, facts))


def report(event: ModelSwitch, facts: Facts) -> Result:
    """Report how full it would be."""
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
