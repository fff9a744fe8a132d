"""Common texts for the model: the session's line, the subagent's line, the end of a reason.

They are factual and short, because a model distrusts injected text that gives orders.
"""

from hookd.core.model.facts import Effort, Facts
from hookd.events.protocol import MAX_TEXT_UNITS, truncate


def context_line(facts: Facts, limit: int) -> str:
    """Return the session's line: time, task, skill, phase, heartbeat. Empty without an effort."""
    effort = facts.effort
    if effort is None:
        return ""
    count = facts.session.heartbeat_counter if facts.session else 0
    return (
        f"[Session Context] Time: {facts.at} | Session: {effort.task_dir} | "
        f"Skill: {effort.skill} | Phase: {effort.phase or 'none'} | Heartbeat: {count}/{limit}"
    )


def subagent_line(effort: Effort, *, logs: bool) -> str:
    """Return the line that names the effort to a subagent, and how to write log entries."""
    entry = '. To write an entry: hookd log "..."' if logs else ""
    return (
        f"[hookd:effort] This is part of effort {effort.id}: {effort.skill} on {effort.task_dir}, "
        f"phase {effort.phase or 'none'}. Log: {effort.log_path}{entry}"
    )


def with_event_id(reason: str, event_id: int, *, allowable: bool = False) -> str:
    """Return `reason` with the event's id; 0 means that the event is not stored.

    If it is `allowable`, the text has the command that allows this call.
    """
    number = f" {event_mark(event_id)}" if event_id else ""
    if number and allowable:
        number = f" The user can allow this: hookd allow {event_id}{number}"
    return truncate(reason, MAX_TEXT_UNITS - len(number)) + number


def event_mark(event_id: int) -> str:
    """Return what a reason is signed with: the number by which a person looks up the decision."""
    return f"(hookd #{event_id})"


def not_judged(why: str) -> str:
    """Return the reason for asking about a call that no guard could evaluate."""
    return f"hookd could not judge this call ({why}). Guards are on: check it before it runs."
