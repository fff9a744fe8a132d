"""A permission prompt is about to show: the agent needs attention.

hookd never grants or denies it; the client's own prompt decides.
"""

from hookd.core.model.method import Example
from hookd.events.model import PermissionRequest
from hookd.methods.hook_event import status_event

METHOD = status_event(
    "PermissionRequest",
    PermissionRequest,
    lambda _event: "attention",
    Example(
        {
            "session_id": "11c8d28b",
            "hook_event_name": "PermissionRequest",
            "tool_name": "Bash",
            "tool_input": {"command": "touch x.txt"},
        },
        says="the agent needs attention; the user is asked as ever",
    ),
)
