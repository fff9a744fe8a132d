"""A turn has ended by an error of the API, such as a rate limit: the agent stands at an error.

What happened is kept as a message of the role `system`. The client ignores what is answered.
"""

from hookd.core.model.facts import Facts
from hookd.core.model.method import Decision, Example, HookMethod, StatusResult
from hookd.core.model.verdict import Outcome
from hookd.core.sessions.agent_status import becomes
from hookd.core.sessions.open_session import add_note
from hookd.events.model import StopFailure


def decide(event: StopFailure, facts: Facts) -> Decision:
    """Set the status and keep the error."""
    told = {"error": event.error, "message": event.last_assistant_message}
    return Decision(facts, (*becomes("error", facts), *add_note("stop_failure", told, facts)))


def answer(_event: StopFailure, facts: Facts, _outcome: Outcome) -> StatusResult:
    """Report the change."""
    return StatusResult(agent_updated=bool(becomes("error", facts)))


METHOD = HookMethod(
    name="hooks.stopFailure",
    event="StopFailure",
    params=StopFailure,
    result=StatusResult,
    decide=decide,
    answer=answer,
    examples=(
        Example(
            {"session_id": "11c8d28b", "hook_event_name": "StopFailure", "error": "rate_limit"},
            says="the agent stands at an error",
        ),
    ),
)
