"""The home of what holds where nothing can be kept: what nobody counts is held against nobody."""

from dataclasses import replace

from hookd.core.events import HookInput
from hookd.core.facts import Facts
from hookd.core.outcome import Outcome

_TOLD = "hookd let the agent stop: nothing can be kept, so nobody counts how often it was held up."


def uncounted(facts: Facts) -> Facts:
    """Return the facts with no call that waits for a log entry: none could be written."""
    if facts.session is None:
        return facts
    return replace(facts, session=replace(facts.session, heartbeat_counter=0))


def let_go(event: HookInput, outcome: Outcome) -> Outcome:
    """Return the outcome, let go where the client says that this stop was held up before."""
    stops = event.hook_event_name in ("Stop", "SubagentStop") and outcome.verdict == "deny"
    if stops and getattr(event, "stop_hook_active", False):
        return Outcome(system_message=_TOLD)
    return outcome
