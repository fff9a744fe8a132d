"""The client tells its user something: where it waits for a person, its agent needs attention.

So it is for permission_prompt, idle_prompt, elicitation_dialog, elicitation_url_dialog and
agent_needs_input; the other kinds change nothing. The client ignores what is answered.
"""

from hookd.core.model.effects.union import Effect
from hookd.core.model.facts import Facts
from hookd.core.model.method import Decision, Example, HookMethod, StatusResult
from hookd.core.model.verdict import Outcome
from hookd.core.sessions.agent_status import ATTENTION, becomes
from hookd.events.model import Notification


def _changes(event: Notification, facts: Facts) -> tuple[Effect, ...]:
    return becomes("attention", facts) if event.notification_type in ATTENTION else ()


def decide(event: Notification, facts: Facts) -> Decision:
    """Set the status."""
    return Decision(facts, _changes(event, facts))


def answer(event: Notification, facts: Facts, _outcome: Outcome) -> StatusResult:
    """Report the change."""
    return StatusResult(agent_updated=bool(_changes(event, facts)))


METHOD = HookMethod(
    name="hooks.notification",
    event="Notification",
    params=Notification,
    result=StatusResult,
    decide=decide,
    answer=answer,
    examples=(
        Example(
            {
                "session_id": "11c8d28b",
                "hook_event_name": "Notification",
                "message": "Claude needs your permission to use Bash",
                "notification_type": "permission_prompt",
            },
            says="the agent needs attention",
        ),
    ),
)
