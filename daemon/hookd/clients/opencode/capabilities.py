"""Capabilities of opencode: the intentions that hookd's plugin carries out on each event.

Event in, intentions out. A plugin cannot ask, so hookd denies the call, and the user decides in a
terminal. It cannot keep a turn from ending: a reason to continue waits for the next request.
Source: opencode 1.18.33.
"""

from collections.abc import Mapping
from dataclasses import replace

from hookd.clients.contract import Intention
from hookd.clients.substitutes import NO_REASON, for_user, joined, outputs_of, unasked
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
    name = event.hook_event_name
    possible = intentions(name)
    denies = "deny" in possible
    verdict, reason = outcome.verdict, outcome.reason
    if name == "PreToolUse" and verdict in ("ask", "defer"):
        verdict, reason = "deny", joined(reason, _UNASKED, between=" ")
    if outcome.stops_turn and verdict != "deny":
        verdict, reason = "deny", outcome.stop_reason
    denied = verdict == "deny" and denies
    feedback = outcome.event_fields.get("stop_feedback")
    texts = (
        reason if verdict == "deny" and not denied else "",
        feedback if isinstance(feedback, str) else "",
        outcome.context,
        for_user(outcome.system_message),
    )
    rewrites = "rewrite input" in possible and not denied
    return replace(
        outcome,
        verdict="deny" if denied else None,
        reason=(reason.strip() or NO_REASON) if denied else "",
        context=joined(*texts) if possible else "",
        system_message="",
        updated_input=outcome.updated_input if rewrites else None,
        stops_turn=False,
        stop_reason="",
        event_fields=outputs_of(outcome) if name == "PostToolUse" else {},
        allowable=outcome.allowable and denied,
    )


def denial_template(event: str) -> str:
    """Return the denial of an event, `@` in place of the reason; "" if it cannot be denied.

    >>> denial_template("PreToolUse")
    '{"deny":@}'
    """
    return '{"deny":@}' if "deny" in intentions(event) else ""
