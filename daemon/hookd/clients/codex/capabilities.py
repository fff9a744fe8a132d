"""Capabilities of Codex: the intentions it carries out on each event, and what replaces the others.

Event in, intentions out. Codex has no question about a call: an `ask` lets it run, so hookd denies
the call, and the user decides in a terminal. A block after a tool ran hides its result from the
model, so there a reason becomes context. Source: Codex 0.169.0.
"""

from collections.abc import Mapping
from dataclasses import replace

from hookd.clients.contract import Intention
from hookd.clients.substitutes import (
    denied,
    denied_at_stop,
    joined,
    limited,
    outputs_of,
    told_after_call,
    unasked,
    with_feedback,
    with_input,
)
from hookd.core.model.verdict import Outcome
from hookd.events.model import HookInput

_INTENTIONS: Mapping[str, frozenset[Intention]] = {
    "SessionStart": frozenset({"add context", "notify user", "stop turn"}),
    "UserPromptSubmit": frozenset({"deny", "add context", "notify user"}),
    "PreToolUse": frozenset({"deny", "rewrite input", "add context", "notify user"}),
    "PermissionRequest": frozenset({"deny", "allow", "notify user"}),
    "PostToolUse": frozenset({"add context", "notify user"}),
    "SubagentStart": frozenset({"add context", "notify user"}),
    "SubagentStop": frozenset({"deny", "notify user"}),
    "Stop": frozenset({"deny", "notify user"}),
    "PreCompact": frozenset({"notify user"}),
    "PostCompact": frozenset({"notify user"}),
    "Interrupt": frozenset({"notify user"}),
}

_SILENCE = Outcome()
_UNASKED = unasked("Codex cannot ask from a hook")


def intentions(event: str) -> frozenset[Intention]:
    """Return the intentions that an answer to an event can express; none for an unknown event."""
    return _INTENTIONS.get(event, frozenset())


def feasible(event: HookInput, outcome: Outcome) -> Outcome:
    """Return the outcome reduced to what an answer to this event can express."""
    if outcome == _SILENCE:
        return outcome
    found = limited(_substituted(event, outcome), intentions(event.hook_event_name))
    if found.updated_input is not None:
        found = replace(found, verdict="allow")  # Codex rewrites an input only together with it
    after_call = event.hook_event_name == "PostToolUse"
    return replace(found, event_fields=outputs_of(outcome) if after_call else {})


def denial_template(event: str) -> str:
    """Return the denial of an event, `@` in place of the reason; "" if it cannot be denied.

    >>> denial_template("Stop")
    '{"decision":"block","reason":@}'
    """
    if "deny" not in intentions(event):
        return ""
    own = {
        "PreToolUse": '"permissionDecision":"deny","permissionDecisionReason":@',
        "PermissionRequest": '"decision":{"behavior":"deny","message":@}',
    }.get(event)
    if own is None:
        return '{"decision":"block","reason":@}'
    return f'{{"hookSpecificOutput":{{"hookEventName":"{event}",{own}}}}}'


def _substituted(event: HookInput, outcome: Outcome) -> Outcome:
    """Return the outcome with what is done in place of what Codex does not carry out."""
    match event.hook_event_name:
        case "SessionStart":
            found = outcome
        case "UserPromptSubmit":
            found = denied_at_stop(outcome)
        case "PreToolUse":
            found = _call(outcome)
        case "PermissionRequest":
            found = _request(outcome)
        case "PostToolUse":
            found = replace(_unstopped(outcome), verdict=None, context=told_after_call(outcome))
        case "Stop" | "SubagentStop":
            found = _stop(event, outcome)
        case "PreCompact" | "PostCompact":
            found = _unstopped(_compaction(outcome))
        case _:
            found = _unstopped(outcome)
    return found


def _call(outcome: Outcome) -> Outcome:
    """Return an outcome before a call: what would ask, or end the turn, denies the call."""
    outcome = denied_at_stop(outcome)
    return denied(outcome, _UNASKED) if outcome.verdict in ("ask", "defer") else outcome


def _request(outcome: Outcome) -> Outcome:
    """Return an outcome at a permission prompt; a question is silence, for the prompt is one."""
    outcome = denied_at_stop(outcome)
    changed = outcome.updated_input if outcome.verdict == "allow" else None
    return outcome if changed is None else denied(outcome, with_input(changed))


def _stop(event: HookInput, outcome: Outcome) -> Outcome:
    """Return an outcome at a stop: the end of the turn is that stop, so nothing blocks it."""
    if outcome.stops_turn:
        return replace(_unstopped(outcome), verdict=None)
    return with_feedback(event, outcome)


def _compaction(outcome: Outcome) -> Outcome:
    """Return an outcome at a compaction, which is not kept from happening: it would end the turn.

    What a hook says about it is shown to the user.
    """
    said = outcome.event_fields.get("compact_message")
    reason = outcome.reason if outcome.verdict == "deny" else ""
    told = joined(reason, said if isinstance(said, str) else "")
    return replace(outcome, system_message=joined(outcome.system_message, told))


def _unstopped(outcome: Outcome) -> Outcome:
    """Return the outcome without the end of the turn, whose reason the user reads instead."""
    if not outcome.stops_turn:
        return outcome
    told = joined(outcome.system_message, outcome.stop_reason)
    return replace(outcome, system_message=told, stops_turn=False, stop_reason="")
