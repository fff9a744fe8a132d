"""An MCP server asks the user something: the agent needs attention.

hookd never answers in the user's place.
"""

from hookd.core.model.method import Example
from hookd.events.model import HookInput
from hookd.methods.hook_event import status_event

METHOD = status_event(
    "Elicitation",
    HookInput,
    lambda _event: "attention",
    Example(
        {
            "session_id": "11c8d28b",
            "hook_event_name": "Elicitation",
            "mcp_server_name": "forms",
        },
        says="the agent needs attention",
    ),
)
