"""Capabilities of opencode: the intentions that hookd's plugin carries out on each event.

Event in, intentions out. A plugin cannot ask, so hookd denies the call, and the user decides in a
terminal. It cannot keep a turn from ending: a reason to continue waits for the next request.
Source: opencode 1.18.33.
"""

from collections.abc import Mapping
from dataclasses import replace

from hookd.clients.contract import Intention
from hookd.clients.substitutes import (
    denied,
    denied_at_stop,
    for_user,
    joined,
    limited,
    outputs_of,
    unasked,
)
from hookd.core.model.verdict import Outcome
from hookd.events.model import HookInput

_CONTEXT: frozenset[Intention] = frozenset({"add context"})
_INTENTIONS: Mapping[str, frozenset[Intention]] = {
    "SessionStart": _CONTEXT,
    "SubagentStart": _CONTEXT,
    "UserPromptSubmit": _CONTEXT | {"deny"},
    "PreToolUse": _CONTEXT | {"deny", "rewrite input"},
    "PostToolUse": _CONTEXT,
    "PreCompact": _CONTEXT,
    "SubagentStop": _CONTEXT,
    "Stop": _CONTEXT,
}

_SILENCE = Outcome()
_UNASKED = unasked("opencode cannot ask from a plugin")


def intentions(event: str) -> frozenset[Intention]:
    """Return the intentions that an answer to an event can express; none for an unknown event."""
    return _INTENTIONS.get(event, frozenset())


def feasible(event: HookInput, outcome: Outcome) -> Outcome:
    """Return the outcome reduced to what an answer to this event can express."""
    if outcome == _SILENCE:
        return outcome
    possible = intentions(event.hook_event_name)
    found = denied_at_stop(outcome)
    if event.hook_event_name == "PreToolUse" and found.verdict in ("ask", "defer"):
        found = denied(found, _UNASKED)
    undenied = found.verdict == "deny" and "deny" not in possible
    feedback = outcome.event_fields.get("stop_feedback")
    texts = (
        found.reason if undenied else "",
        feedback if isinstance(feedback, str) else "",
        found.context,
        for_user(found.system_message),
    )
    found = limited(replace(found, context=joined(*texts)), possible)
    after_call = event.hook_event_name == "PostToolUse"
    return replace(found, event_fields=outputs_of(outcome) if after_call else {})


def denial_template(event: str) -> str:
    """Return the denial of an event, `@` in place of the reason; "" if it cannot be denied.

    >>> denial_template("PreToolUse")
    '{"deny":@}'
    """
    return '{"deny":@}' if "deny" in intentions(event) else ""
