"""How often an agent may be kept from stopping: one that can never end costs for ever.

The client has a limit of its own, of 8 in a row, and begins anew with each tool that is used; so
hookd counts by itself, for each prompt of the user's.
"""

from hookd.core.model.effects.sessions import Remember
from hookd.core.model.effects.union import Effect
from hookd.core.model.facts import Facts
from hookd.core.model.verdict import Outcome
from hookd.core.sessions.agent_status import stands
from hookd.core.sessions.loop import NAME as LOOP
from hookd.events.model import HookInput

_STATE = "stop-blocks"


def blocked_stops(event: HookInput, facts: Facts) -> int:
    """Return how often the agent was kept from stopping since the prompt, whoever did."""
    before = facts.policy_state.get(_STATE)
    same = isinstance(before, dict) and before.get("prompt") == event.prompt_id
    return int(before.get("count", 0)) if same and isinstance(before, dict) else 0


def apply_stop_limit(
    event: HookInput, outcome: Outcome, facts: Facts
) -> tuple[Outcome, tuple[Effect, ...]]:
    """Return the outcome, let go where the stop was held up too often, and what counts it."""
    session = facts.session
    holds = event.hook_event_name in ("Stop", "SubagentStop") and outcome.verdict == "deny"
    if session is None or not holds:
        return outcome, ()
    if outcome.rule == LOOP:  # it has a cap of its own: its rounds
        return outcome, _goes_on(event, facts)
    count = blocked_stops(event, facts) + 1
    most = facts.settings.commands.max_consecutive_stop_blocks
    # It lasts: a conversation that is compacted on the way has no more of them.
    value = {"prompt": event.prompt_id, "count": count}
    counted = (Remember(session.id, _STATE, value, lasts=True),)
    if count <= most:
        return outcome, (*counted, *_goes_on(event, facts))
    told = f"hookd let the agent stop: it was held up {most} times since the prompt."
    return Outcome(system_message=told), counted


def _goes_on(event: HookInput, facts: Facts) -> tuple[Effect, ...]:
    """Return the effect that takes back the status done."""
    return stands("working", facts) if event.hook_event_name == "Stop" else ()
