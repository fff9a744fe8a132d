"""Capabilities of Copilot CLI: its intentions on each event, and what replaces the others.

Event in, intentions out. Copilot CLI shows no message of a hook to the user, so the model is asked
to pass it on. A block after a tool ran would replace its result, so there a reason becomes context.
Source: Copilot CLI 1.0.102.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

from hookd.clients.contract import Intention
from hookd.clients.substitutes import (
    NO_REASON,
    denied,
    denied_at_stop,
    for_user,
    joined,
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
    name = event.hook_event_name
    possible = intentions(name)
    found = _REDUCED.get(name, _other)(event, outcome)
    verdict = found.verdict if found.verdict in possible else None
    context = joined(found.context, for_user(found.system_message))
    return replace(
        found,
        verdict=verdict,
        reason=(found.reason.strip() or NO_REASON) if verdict in ("deny", "ask") else "",
        context=context if "add context" in possible else "",
        system_message="",
        updated_input=found.updated_input if "rewrite input" in possible else None,
        allowable=found.allowable and verdict is not None,
    )


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


def _call(event: HookInput, outcome: Outcome) -> Outcome:
    """Return an outcome before a call: the end of the turn denies it, and to defer is to ask.

    In PascalCase only an allowed call takes another input: if hookd would ask about it, it is
    denied.
    """
    outcome = denied_at_stop(outcome)
    if outcome.verdict == "defer":
        outcome = replace(outcome, verdict="ask")
    changed = outcome.updated_input if outcome.verdict != "deny" else None
    if changed is not None and outcome.verdict == "ask" and not event.client_event:
        outcome, changed = _named_safe(outcome, changed), None
    return replace(outcome, updated_input=changed, event_fields={})


def _request(_event: HookInput, outcome: Outcome) -> Outcome:
    """Return an outcome at a permission prompt; a question is silence, for the prompt is one."""
    if outcome.stops_turn:
        reason = outcome.reason or outcome.stop_reason
        outcome = replace(outcome, verdict="deny", reason=reason)
    if outcome.verdict == "allow" and outcome.updated_input is not None:
        outcome = _named_safe(outcome, outcome.updated_input)
    verdict = outcome.verdict if outcome.verdict in ("deny", "allow") else None
    interrupts = outcome.stops_turn or outcome.event_fields.get("interrupt") is True
    return replace(
        outcome,
        verdict=verdict,
        updated_input=None,
        stops_turn=interrupts and verdict == "deny",
        stop_reason="",
        event_fields={},
    )


def _result(_event: HookInput, outcome: Outcome) -> Outcome:
    """Return an outcome after a call: only another result replaces the result.

    A reason becomes context beside it; so does the reason to end the turn, which continues.
    """
    return replace(
        outcome,
        verdict=None,
        context=told_after_call(outcome),
        stops_turn=False,
        stop_reason="",
        event_fields=outputs_of(outcome),
    )


def _stop(event: HookInput, outcome: Outcome) -> Outcome:
    """Return an outcome at a stop; the end of the turn is no reason to continue."""
    if outcome.stops_turn:
        outcome = replace(outcome, verdict=None)
    return _other(event, with_feedback(event, outcome))


def _prompt(event: HookInput, outcome: Outcome) -> Outcome:
    return _other(event, denied_at_stop(outcome))


def _other(_event: HookInput, outcome: Outcome) -> Outcome:
    return replace(outcome, stops_turn=False, stop_reason="", updated_input=None, event_fields={})


def _named_safe(outcome: Outcome, changed: Mapping[str, object]) -> Outcome:
    """Return a denial that names the input with which the call may be made."""
    return denied(outcome, with_input(changed))


_REDUCED: Mapping[str, Callable[[HookInput, Outcome], Outcome]] = {
    "UserPromptSubmit": _prompt,
    "PreToolUse": _call,
    "PermissionRequest": _request,
    "PostToolUse": _result,
    "SubagentStop": _stop,
    "Stop": _stop,
}
