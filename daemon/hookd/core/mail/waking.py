"""Waking of idle agents: the one line that is said to them, and when it is said.

The line is all that rewake and tmux carry: the mail itself comes as context with what follows.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from hookd.core.model.effects.sessions import Remember
from hookd.core.model.effects.union import Effect
from hookd.core.model.facts import Facts, iso
from hookd.core.model.mail import INJECTION_SOURCE
from hookd.lazy_dataclass import dataclass

NAME = "mail-wake"
"""The name under which a session's state of waking is stored."""

IDLE = frozenset({"idle", "done", "checked"})

_EMPTY: Mapping[str, Any] = {"waker": "", "last": 0, "seen": ""}

_RENEWAL = timedelta(minutes=5)
_LOST = timedelta(minutes=10)
"""Time without a request, due every 15 seconds, after which a waiting process has ended."""


@dataclass(frozen=True, slots=True)
class Waking:
    """Whether a session is to be woken: with how many mails; `over`: not by this waker any more."""

    count: int = 0
    over: bool = False
    effects: tuple[Effect, ...] = ()


def wake_line(count: int) -> str:
    """Return the line that wakes an agent.

    >>> wake_line(1), wake_line(2)
    ('hookd: 1 message waiting', 'hookd: 2 messages waiting')
    """
    return f"hookd: {count} message{'s' * (count != 1)} waiting"


def waits(seen: str | None, now: datetime) -> bool:
    """Return whether a process waits to wake a session, by the time at which it was last seen."""
    return bool(seen) and str(seen) > iso(now - _LOST)


def wake(facts: Facts, waker: str = "", *, first: bool = False) -> Waking:
    """Decide whether to wake a session now; each mail wakes it once, mail of low priority never.

    `waker` names a process that waits to do it; the `first` request of one replaces the former.
    Without a name the daemon itself does it.
    """
    session = facts.session
    if session is None or session.ended_at is not None or session.agent_id:
        return Waking(over=True)
    state: Mapping[str, Any] = facts.policy_state.get(NAME) or {}
    if waker and not first and state.get("waker") != waker:
        return Waking(over=True)
    kept = {name: state.get(name, default) for name, default in _EMPTY.items()}
    if waker:
        kept["waker"] = waker
        if kept["seen"] <= iso(facts.now - _RENEWAL):  # not at each request: each is a write
            kept["seen"] = iso(facts.now)
    waiting = [
        one.id
        for one in facts.injections
        if one.rule_id == INJECTION_SOURCE and not one.offered and one.priority != "low"
    ]
    due = session.status in IDLE and any(number > kept["last"] for number in waiting)
    if due:
        kept["last"] = max(waiting)
        if waker:
            kept["seen"] = ""  # the process says the line and ends
    changed = kept != dict(state)
    effects = (Remember(session.id, NAME, kept),) if changed else ()
    return Waking(len(waiting) if due else 0, effects=effects)
