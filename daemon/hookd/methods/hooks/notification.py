"""The client notifies its user: if it waits for a person, its agent needs attention.

That applies to permission_prompt, idle_prompt, elicitation_dialog, elicitation_url_dialog and
agent_needs_input; the other kinds change nothing. The client ignores the answer.
"""

from hookd.core.model.effects.messages import Status
from hookd.core.model.method import Example
from hookd.core.sessions.agent_status import ATTENTION
from hookd.events.model import Notification
from hookd.methods.hook_event import status_event


def _status(event: Notification) -> Status | None:
    return "attention" if event.notification_type in ATTENTION else None


METHOD = status_event(
    "Notification",
    Notification,
    _status,
    Example(
        {
            "session_id": "11c8d28b",
            "hook_event_name": "Notification",
            "message": "Claude needs your permission to use Bash",
            "notification_type": "permission_prompt",
        },
        says="the agent needs attention",
    ),
)
