"""Stop limit: how often an agent may be kept from stopping, so that it cannot run forever.

The client has its own limit, 8 in a row, which each tool call resets; hookd therefore counts for
each prompt of the user.
"""

from hookd.core.model.effects.sessions import Remember
from hookd.core.model.effects.union import Effect
from hookd.core.model.facts import Facts
from hookd.core.model.verdict import Outcome
from hookd.core.sessions.agent_status import stands
from hookd.core.sessions.loop import POLICY_NAME as LOOP
from hookd.events.model import HookInput

_STATE = "stop-blocks"


def blocked_stops(event: HookInput, facts: Facts) -> int:
    """Return how often stops were blocked since the prompt, by any policy or hook."""
    state = facts.policy_state.get(_STATE)
    same = isinstance(state, dict) and state.get("prompt") == event.prompt_id
    return int(state.get("count", 0)) if same and isinstance(state, dict) else 0


def apply_stop_limit(
    event: HookInput, outcome: Outcome, facts: Facts
) -> tuple[Outcome, tuple[Effect, ...]]:
    """Return the outcome, allowed if the limit is reached, and the effects that count it."""
    session = facts.session
    blocks = event.hook_event_name in ("Stop", "SubagentStop") and outcome.verdict == "deny"
    if session is None or not blocks:
        return outcome, ()
    if outcome.rule == LOOP:  # it has its own limit: its rounds
        return outcome, _keeps_working(event, facts)
    count = blocked_stops(event, facts) + 1
    limit = facts.settings.user_hooks.max_consecutive_stop_blocks
    # The count survives a compaction: the conversation is the same.
    value = {"prompt": event.prompt_id, "count": count}
    counted = (Remember(session.id, _STATE, value, lasts=True),)
    if count <= limit:
        return outcome, (*counted, *_keeps_working(event, facts))
    text = f"hookd allowed the stop: it had been blocked {limit} times since the last prompt."
    return Outcome(system_message=text), counted


def _keeps_working(event: HookInput, facts: Facts) -> tuple[Effect, ...]:
    """Return the effect that resets the status from done to working."""
    return stands("working", facts) if event.hook_event_name == "Stop" else ()
