"""A turn has ended: the agent is done, or still working if background tasks run.

The session continues. A client that reports how full the context is at a stop sets its usage. The
last answer is ingested from the transcript, in the background; without a transcript, it is taken
from the event. If the transcript ends in an API error, which older clients do not report, the agent
gets the status error after all.
"""

from hookd.core.context_window.context_events import usage_at_stop
from hookd.core.model.effects.after_commit import ReadTranscript
from hookd.core.model.effects.messages import AddMessage
from hookd.core.model.effects.union import Effect
from hookd.core.model.facts import Facts
from hookd.core.model.method import Example
from hookd.core.sessions.agent_status import after_stop
from hookd.core.sessions.open_session import update_branch
from hookd.events.model import Stop
from hookd.methods.hook_event import status_event


def _reads(event: Stop, facts: Facts) -> tuple[Effect, ...]:
    """Return the effects that read on in the transcript, the git branch, and the context usage."""
    changes: tuple[Effect, ...] = (*update_branch(event, facts), *usage_at_stop(event, facts))
    if facts.session is not None and event.transcript_path:
        changes += (
            ReadTranscript(facts.session.id, event.transcript_path, stopped=facts.next.event),
        )
    return changes + _said(event, facts)


def _said(event: Stop, facts: Facts) -> tuple[Effect, ...]:
    """Return the effect that stores the last answer of a session without a transcript."""
    said, session, effort = event.last_assistant_message, facts.session, facts.effort
    if session is None or event.transcript_path or not (said or "").strip():
        return ()
    ref = f"stop/{facts.next.event}"
    effort_id = effort.id if effort else None
    return (AddMessage(session.id, effort_id, "assistant", said or "", ref=ref),)


METHOD = status_event(
    "Stop",
    Stop,
    lambda event: after_stop(event.background_tasks),
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
    more=_reads,
)
