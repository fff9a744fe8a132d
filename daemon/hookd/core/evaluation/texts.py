"""The sentences that a model reads, kept together so that they sound alike.

Factual and short: text that arrives out of band and gives orders is rightly distrusted.
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
    """Return what a subagent should know of the effort that it helps with, and how it logs."""
    entry = '; an entry is written by: hookd log "..."' if logs else ""
    return (
        f"[hookd:effort] This is part of effort {effort.id}: {effort.skill} on {effort.task_dir}, "
        f"phase {effort.phase or 'none'}. Its log is {effort.log_path}{entry}"
    )


def with_event_id(reason: str, event_id: int, *, allowable: bool = False) -> str:
    """Return `reason` with the number under which the event is kept; 0 says that it is not.

    If it is `allowable`, it says how the user can let this call pass.
    """
    number = f" (hookd #{event_id})" if event_id else ""
    if number and allowable:
        number = f" The user can allow this: hookd allow {event_id}{number}"
    return truncate(reason, MAX_TEXT_UNITS - len(number)) + number


def not_judged(why: str) -> str:
    """Return the reason for asking about a call that no guard could read."""
    return f"hookd could not judge this call ({why}), and guards are set: look before it runs."
