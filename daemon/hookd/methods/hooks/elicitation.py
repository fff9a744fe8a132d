"""An MCP server asks the user something: the agent needs attention.

hookd never answers in the user's place.
"""

from hookd.core.model.facts import Facts
from hookd.core.model.method import Decision, Example, HookMethod, StatusResult
from hookd.core.model.verdict import Outcome
from hookd.core.sessions.agent_status import becomes
from hookd.events.model import HookInput


def decide(_event: HookInput, facts: Facts) -> Decision:
    """Set the status."""
    return Decision(facts, becomes("attention", facts))


def answer(_event: HookInput, facts: Facts, _outcome: Outcome) -> StatusResult:
    """Report the change."""
    return StatusResult(agent_updated=bool(becomes("attention", facts)))


METHOD = HookMethod(
    name="hooks.elicitation",
    event="Elicitation",
    params=HookInput,
    result=StatusResult,
    decide=decide,
    answer=answer,
    examples=(
        Example(
            {
                "session_id": "11c8d28b",
                "hook_event_name": "Elicitation",
                "mcp_server_name": "forms",
            },
            says="the agent needs attention",
        ),
    ),
)
