"""Log entries: append a text to an effort's log, and reset the heartbeat."""

import re

from hookd.core.efforts.lifecycle import file_root, without_flags
from hookd.core.model.effects.after_commit import AppendLog
from hookd.core.model.effects.messages import AddMessage
from hookd.core.model.effects.sessions import SetHeartbeat
from hookd.core.model.effects.union import Effect
from hookd.core.model.errors import DomainError
from hookd.core.model.facts import Effort, Facts
from hookd.lazy_pattern import lazy_compile

_HEADING = lazy_compile(r"^## +", re.MULTILINE)


def affected_sessions(effort: Effort, facts: Facts) -> tuple[int, ...]:
    """Return the sessions that a step in an effort affects: the caller's, or all open ones.

    None of them if the caller's session works on another effort.
    """
    session = facts.session
    if session is None:
        return facts.effort_windows
    return (session.id,) if session.effort_id == effort.id else ()


def write_entry(text: str, facts: Facts) -> tuple[Effort, tuple[Effect, ...]]:
    """Return the current effort, and the effects that append `text` to its log.

    Raise DomainError: NO_ACTIVE_EFFORT without an effort, EFFORT_FINISHED if it is finished.
    """
    effort = facts.effort
    if effort is None:
        raise DomainError("NO_ACTIVE_EFFORT", "no effort is active here")
    if not effort.active:
        raise DomainError("EFFORT_FINISHED", f"effort {effort.id} is finished")
    effects: tuple[Effect, ...] = (
        AddMessage(facts.session.id if facts.session else None, effort.id, "log", text),
        *(SetHeartbeat(window, 0, None) for window in affected_sessions(effort, facts)),
        *without_flags(effort, "dehydrating"),
        AppendLog(
            effort.log_path,
            with_timestamp(text, facts.at),
            f"{effort.skill} log",
            file_root(effort, facts),
        ),
    )
    return effort, effects


def with_timestamp(text: str, at: str) -> str:
    """Return an entry with its time in the heading, else at the beginning.

    >>> stamped("## Parser done", "2026-01-31T08:00:00.000Z")
    '## [2026-01-31 08:00:00] Parser done'
    """
    stamp = f"[{at[:10]} {at[11:19]}]"
    marked, found = _HEADING.subn(lambda heading: f"{heading[0]}{stamp} ", text, count=1)
    return marked if found else f"{stamp} {text}"
