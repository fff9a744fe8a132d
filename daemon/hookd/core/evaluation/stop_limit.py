"""Stop limit: how often an agent may be kept from stopping, so that it cannot run forever.

Claude Code has its own limit, 8 in a row, which each tool call resets, and other clients have none;
hookd therefore counts for each prompt of the user.
"""

from hookd.core.evaluation.texts import event_mark
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
    if not isinstance(state, dict):
        return 0
    # A client may give a new id to the turn in which a blocked agent continues.
    continues = getattr(event, "stop_hook_active", None) is True
    same = continues or state.get("prompt") == event.prompt_id
    return int(state.get("count", 0)) if same else 0


def repeats_stop_reason(event: HookInput, facts: Facts) -> bool:
    """Return whether a prompt is the reason of the last blocked stop.

    Gemini CLI submits that reason as a prompt. It is recognized by the number that it is signed
    with.
    """
    state, prompt = facts.policy_state.get(_STATE), getattr(event, "prompt", None)
    number = state.get("event") if isinstance(state, dict) else None
    if not isinstance(number, int) or not number or not isinstance(prompt, str):
        return False
    return event_mark(number) in prompt


def reset_stop_limit(event: HookInput, facts: Facts) -> tuple[Effect, ...]:
    """Return the effect that resets the count, at a prompt of a client without prompt ids."""
    session = facts.session
    if session is None or event.prompt_id is not None or _STATE not in facts.policy_state:
        return ()
    return (Remember(session.id, _STATE, None, lasts=True),)


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
    value = {"prompt": event.prompt_id, "count": count, "event": facts.next.event}
    counted = (Remember(session.id, _STATE, value, lasts=True),)
    if count <= limit:
        return outcome, (*counted, *_keeps_working(event, facts))
    text = f"hookd allowed the stop: it had been blocked {limit} times since the last prompt."
    return Outcome(system_message=text), counted


def _keeps_working(event: HookInput, facts: Facts) -> tuple[Effect, ...]:
    """Return the effect that resets the status from done to working."""
    return stands("working", facts) if event.hook_event_name == "Stop" else ()
