"""The user has answered an MCP server: the agent is working again.

hookd never answers in the user's place.
"""

from hookd.core.model.method import Example
from hookd.events.model import HookInput
from hookd.methods.hook_event import status_event

METHOD = status_event(
    "ElicitationResult",
    HookInput,
    lambda _event: "working",
    Example(
        {
            "session_id": "11c8d28b",
            "hook_event_name": "ElicitationResult",
            "mcp_server_name": "forms",
        },
        says="the agent is working",
    ),
)
