"""Compaction: its trigger, stored from PreCompact until the next session starts.

A PreCompact may come without a compaction, and the SessionStart after a compaction does not have
the trigger.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from hookd.core.model.effects.sessions import Remember, SetHeartbeat
from hookd.core.model.effects.union import Effect
from hookd.core.model.facts import Facts, Session
from hookd.events.model import PreCompact

_STATE = "compaction"


def remember_trigger(event: PreCompact, facts: Facts) -> tuple[Effect, ...]:
    """Return the effect that stores the trigger, none if it is stored already."""
    session = facts.session
    if session is None or session.agent_id or event.trigger == _trigger(facts.policy_state):
        return ()
    return (Remember(session.id, _STATE, {"trigger": event.trigger}),)


def carry_heartbeat(
    state: Mapping[str, Any], before: Session, session: Session
) -> tuple[Session, tuple[Effect, ...]]:
    """Return the session after a compaction with its heartbeat, and the effect that stores it.

    `state` is the policy state of the session `before`. The heartbeat continues after a person's
    `/compact`. It is reset if the client compacted: the model had no chance to log.
    """
    if before.ended_at or _trigger(state) == "auto":
        return session, ()
    count, last = before.heartbeat_counter, before.last_counted
    counted = replace(session, heartbeat_counter=count, last_counted=last)
    return counted, (SetHeartbeat(session.id, count, last),)


def _trigger(state: Mapping[str, Any]) -> str:
    kept = state.get(_STATE)
    return str(kept.get("trigger", "")) if isinstance(kept, dict) else ""
