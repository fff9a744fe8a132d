"""A turn has ended: the agent is done, or still working where background tasks run.

The session goes on. What was said last is taken in from the transcript, in the background. Where
that ends in an error of the API, which older clients tell nowhere else, the agent stands at an
error after all.
"""

from hookd.core.model.effects.after_commit import ReadTranscript
from hookd.core.model.effects.union import Effect
from hookd.core.model.facts import Facts
from hookd.core.model.method import Decision, Example, HookMethod, StatusResult
from hookd.core.model.verdict import Outcome
from hookd.core.sessions.agent_status import after_stop, becomes
from hookd.core.sessions.open_session import update_branch
from hookd.events.model import Stop


def decide(event: Stop, facts: Facts) -> Decision:
    """Set the status; read on in the transcript, and the git branch."""
    effects: tuple[Effect, ...] = (
        *becomes(after_stop(event.background_tasks), facts),
        *update_branch(event, facts),
    )
    if facts.session and event.transcript_path:
        effects += (
            ReadTranscript(facts.session.id, event.transcript_path, stopped=facts.next.event),
        )
    return Decision(facts, effects)


def answer(event: Stop, facts: Facts, _outcome: Outcome) -> StatusResult:
    """Report the change."""
    return StatusResult(agent_updated=bool(becomes(after_stop(event.background_tasks), facts)))


METHOD = HookMethod(
    name="hooks.stop",
    event="Stop",
    params=Stop,
    result=StatusResult,
    decide=decide,
    answer=answer,
    examples=(
        Example(
            {
                "session_id": "11c8d28b",
                "hook_event_name": "Stop",
                "stop_hook_active": False,
                "last_assistant_message": "Done.",
                "background_tasks": [],
            },
            says="the agent is done",
        ),
    ),
)
