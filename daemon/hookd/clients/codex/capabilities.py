"""Capabilities of Codex: the intentions it carries out on each event, and what replaces the others.

Event in, intentions out. Codex has no question about a call: an `ask` lets it run, so hookd denies
the call, and the user decides in a terminal. A block after a tool ran hides its result from the
model, so there a reason becomes context. Source: Codex 0.169.0.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

from hookd.clients.contract import Intention
from hookd.clients.substitutes import (
    denied,
    denied_at_stop,
    joined,
    outputs_of,
    told_after_call,
    unasked,
    with_feedback,
    with_input,
    with_reason,
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
    possible = intentions(event.hook_event_name)
    reduce = _REDUCED.get(event.hook_event_name, _unstopped)
    found = reduce(event, outcome)
    verdict = found.verdict if found.verdict in possible else None
    changed = found.updated_input if "rewrite input" in possible else None
    if changed is not None and verdict is None:
        verdict = "allow"  # Codex rewrites an input only together with it
    return with_reason(
        replace(
            found,
            verdict=verdict,
            reason=found.reason if verdict == "deny" else "",
            context=found.context if "add context" in possible else "",
            system_message=found.system_message if "notify user" in possible else "",
            updated_input=changed if verdict == "allow" else None,
            allowable=found.allowable and verdict == "deny",
        )
    )


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


def _call(_event: HookInput, outcome: Outcome) -> Outcome:
    """Return an outcome before a call: what would ask, or end the turn, denies the call."""
    outcome = denied_at_stop(outcome)
    if outcome.verdict in ("ask", "defer"):
        outcome = denied(outcome, _UNASKED)
    return _plain(outcome)


def _request(_event: HookInput, outcome: Outcome) -> Outcome:
    """Return an outcome at a permission prompt; a question is silence, for the prompt is one."""
    outcome = denied_at_stop(outcome)
    if outcome.verdict == "allow" and outcome.updated_input is not None:
        outcome = replace(outcome, verdict="deny", reason=with_input(outcome.updated_input))
    return _plain(outcome)


def _prompt(_event: HookInput, outcome: Outcome) -> Outcome:
    return _plain(denied_at_stop(outcome))


def _start(_event: HookInput, outcome: Outcome) -> Outcome:
    return _plain(outcome)


def _result(_event: HookInput, outcome: Outcome) -> Outcome:
    """Return an outcome after a call: only another result replaces the result.

    A reason becomes context beside it; so does the reason to end the turn, which Codex continues.
    """
    given = replace(_unstopped(_event, outcome), verdict=None, context=told_after_call(outcome))
    return replace(given, event_fields=outputs_of(outcome))


def _stop(event: HookInput, outcome: Outcome) -> Outcome:
    """Return an outcome at a stop: the end of the turn is that stop, so nothing blocks it."""
    if outcome.stops_turn:
        return replace(_unstopped(event, outcome), verdict=None)
    return _plain(with_feedback(event, outcome))


def _compaction(event: HookInput, outcome: Outcome) -> Outcome:
    """Return an outcome at a compaction, which is not kept from happening: it would end the turn.

    What a hook says about it is shown to the user.
    """
    said = outcome.event_fields.get("compact_message")
    reason = outcome.reason if outcome.verdict == "deny" else ""
    told = joined(reason, said if isinstance(said, str) else "")
    return _unstopped(event, replace(outcome, system_message=joined(outcome.system_message, told)))


def _unstopped(_event: HookInput, outcome: Outcome) -> Outcome:
    """Return the outcome without the end of the turn, whose reason the user reads instead."""
    if outcome.stops_turn and outcome.stop_reason:
        told = joined(outcome.system_message, outcome.stop_reason)
        outcome = replace(outcome, system_message=told)
    return _plain(replace(outcome, stops_turn=False, stop_reason=""))


def _plain(outcome: Outcome) -> Outcome:
    """Return the outcome without fields of Claude Code's answers, none of which Codex takes."""
    return replace(outcome, event_fields={}) if outcome.event_fields else outcome


_REDUCED: Mapping[str, Callable[[HookInput, Outcome], Outcome]] = {
    "SessionStart": _start,
    "UserPromptSubmit": _prompt,
    "PreToolUse": _call,
    "PermissionRequest": _request,
    "PostToolUse": _result,
    "SubagentStop": _stop,
    "Stop": _stop,
    "PreCompact": _compaction,
    "PostCompact": _compaction,
}
