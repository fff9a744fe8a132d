"""A turn has ended by an API error, such as a rate limit: the agent has the status error.

The error is stored as a message of the role `system`. The client ignores the answer.
"""

from hookd.core.model.effects.union import Effect
from hookd.core.model.facts import Facts
from hookd.core.model.method import Example
from hookd.core.sessions.open_session import add_note
from hookd.events.model import StopFailure
from hookd.methods.hook_event import status_event


def _note(event: StopFailure, facts: Facts) -> tuple[Effect, ...]:
    told = {"error": event.error, "message": event.last_assistant_message}
    return add_note("stop_failure", told, facts)


METHOD = status_event(
    "StopFailure",
    StopFailure,
    lambda _event: "error",
    Example(
        {"session_id": "11c8d28b", "hook_event_name": "StopFailure", "error": "rate_limit"},
        says="the agent has the status error",
    ),
    more=_note,
)
