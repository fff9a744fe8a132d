"""A session ends: its row is closed with the client's reason, and the rows of its subagents.

After `clear` the agent continues in the next window, so its status stays; otherwise the agent is
done. The client ignores the answer.
"""

from hookd.core.model.effects.after_commit import ReadTranscript
from hookd.core.model.effects.sessions import EndSession
from hookd.core.model.effects.union import Effect
from hookd.core.model.facts import Facts
from hookd.core.model.method import Example, HookResult
from hookd.core.sessions.agent_status import stands
from hookd.events.model import SessionEnd
from hookd.methods.hook_event import effects_event


class Result(HookResult):
    """Whether a row was open, and whether an agent's status changed."""

    session_ended: bool = False
    agent_updated: bool = False


def _done(event: SessionEnd, facts: Facts) -> bool:
    return facts.agent is not None and facts.session is not None and event.reason != "clear"


def effects(event: SessionEnd, facts: Facts) -> tuple[Effect, ...]:
    """End exactly the row of this session."""
    if facts.session is None:
        return ()
    changes: tuple[Effect, ...] = (EndSession(facts.session.id, event.reason),)
    if _done(event, facts):
        changes += stands("done", facts)
    if event.transcript_path:
        changes += (ReadTranscript(facts.session.id, event.transcript_path),)
    return changes


def report(event: SessionEnd, facts: Facts) -> Result:
    """Report what was ended."""
    return Result(session_ended=facts.session is not None, agent_updated=_done(event, facts))


METHOD = effects_event(
    "SessionEnd",
    SessionEnd,
    effects,
    report,
    Result,
    Example(
        {"session_id": "11c8d28b", "hook_event_name": "SessionEnd", "reason": "other"},
        says="closes the session's row",
    ),
)
