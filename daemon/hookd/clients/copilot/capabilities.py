"""Capabilities of Copilot CLI: its intentions on each event, and what replaces the others.

Event in, intentions out. Copilot CLI shows no message of a hook to the user, so the model is asked
to pass it on. A block after a tool ran would replace its result, so there a reason becomes context.
Source: Copilot CLI 1.0.102.
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
    told_after_call,
    with_feedback,
    with_input,
)
from hookd.core.model.verdict import Outcome
from hookd.events.model import HookInput

_INTENTIONS: Mapping[str, frozenset[Intention]] = {
    "SessionStart": frozenset({"add context"}),
    "UserPromptSubmit": frozenset({"deny", "add context"}),
    "PreToolUse": frozenset({"deny", "ask", "allow", "rewrite input", "add context"}),
    "PermissionRequest": frozenset({"deny", "allow", "stop turn"}),
    "PostToolUse": frozenset({"add context"}),
    "SubagentStop": frozenset({"deny"}),
    "Stop": frozenset({"deny"}),
}

_SILENCE = Outcome()


def intentions(event: str) -> frozenset[Intention]:
    """Return the intentions that an answer to an event can express; none for an unknown event."""
    return _INTENTIONS.get(event, frozenset())


def feasible(event: HookInput, outcome: Outcome) -> Outcome:
    """Return the outcome reduced to what an answer to this event can express."""
    if outcome == _SILENCE:
        return outcome
    found = _substituted(event, outcome)
    told = joined(found.context, for_user(found.system_message))
    found = limited(replace(found, context=told), intentions(event.hook_event_name))
    after_call = event.hook_event_name == "PostToolUse"
    return replace(found, event_fields=outputs_of(outcome) if after_call else {})


def denial_template(event: str) -> str:
    """Return the denial of an event, `@` in place of the reason; "" if it cannot be denied.

    >>> denial_template("PermissionRequest")
    '{"behavior":"deny","message":@}'
    """
    if "deny" not in intentions(event):
        return ""
    return {
        "PreToolUse": '{"permissionDecision":"deny","permissionDecisionReason":@}',
        "PermissionRequest": '{"behavior":"deny","message":@}',
    }.get(event, '{"decision":"block","reason":@}')


def _substituted(event: HookInput, outcome: Outcome) -> Outcome:
    """Return the outcome with what is done in place of what Copilot CLI does not carry out."""
    match event.hook_event_name:
        case "UserPromptSubmit":
            return denied_at_stop(outcome)
        case "PreToolUse":
            return _call(event, outcome)
        case "PermissionRequest":
            return _request(outcome)
        case "PostToolUse":
            return replace(outcome, verdict=None, context=told_after_call(outcome))
        case "Stop" | "SubagentStop":
            stops = outcome.stops_turn  # no reason to continue
            return with_feedback(event, replace(outcome, verdict=None) if stops else outcome)
        case _:
            return outcome


def _call(event: HookInput, outcome: Outcome) -> Outcome:
    """Return an outcome before a call: the end of the turn denies it, and to defer is to ask.

    In PascalCase only an allowed call takes another input: if hookd would ask about it, it is
    denied.
    """
    outcome = denied_at_stop(outcome)
    if outcome.verdict == "defer":
        outcome = replace(outcome, verdict="ask")
    changed = outcome.updated_input
    if changed is not None and outcome.verdict == "ask" and not event.client_event:
        return denied(outcome, with_input(changed))
    return outcome


def _request(outcome: Outcome) -> Outcome:
    """Return an outcome at a permission prompt; a question is silence, for the prompt is one."""
    interrupts = outcome.stops_turn or outcome.event_fields.get("interrupt") is True
    if outcome.stops_turn:
        reason = outcome.reason or outcome.stop_reason
        outcome = replace(outcome, verdict="deny", reason=reason)
    elif outcome.verdict == "allow" and outcome.updated_input is not None:
        outcome = denied(outcome, with_input(outcome.updated_input))
    return replace(outcome, stops_turn=interrupts and outcome.verdict == "deny", stop_reason="")
