"""A permission prompt is about to show: the agent needs attention.

hookd never grants or denies by itself; the client's own prompt decides.
"""

from hookd.core.model.facts import Facts
from hookd.core.model.method import Decision, Example, HookMethod, StatusResult
from hookd.core.model.verdict import Outcome
from hookd.core.sessions.agent_status import becomes
from hookd.events.model import PermissionRequest


def decide(_event: PermissionRequest, facts: Facts) -> Decision:
    """Set the status."""
    return Decision(facts, becomes("attention", facts))


def answer(_event: PermissionRequest, facts: Facts, _outcome: Outcome) -> StatusResult:
    """Report the change."""
    return StatusResult(agent_updated=bool(becomes("attention", facts)))


METHOD = HookMethod(
    name="hooks.permissionRequest",
    event="PermissionRequest",
    params=PermissionRequest,
    result=StatusResult,
    decide=decide,
    answer=answer,
    examples=(
        Example(
            {
                "session_id": "11c8d28b",
                "hook_event_name": "PermissionRequest",
                "tool_name": "Bash",
                "tool_input": {"command": "touch x.txt"},
            },
            says="the agent needs attention; the user is asked as ever",
        ),
    ),
)
