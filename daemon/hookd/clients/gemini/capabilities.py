"""Capabilities of Gemini CLI: the intentions it carries out on each event, and the substitutes.

Event in, intentions out. Without a person at its terminal Gemini CLI waits without end for the
answer to a question, so such a question is a denial. It does not let a hook skip its own permission
prompt. A denial after a call replaces the result, so a reason becomes context there. Source: Gemini
CLI 0.61.0.
"""

from collections.abc import Mapping
from dataclasses import replace

from hookd.clients.contract import Intention
from hookd.clients.gemini import headless
from hookd.clients.substitutes import (
    as_context,
    denied,
    outputs_of,
    unasked,
    with_feedback,
    with_reason,
)
from hookd.core.model.verdict import Outcome
from hookd.events.model import HookInput

attended = headless.attended

_ENGINE: frozenset[Intention] = frozenset({"notify user", "stop turn"})
_RESULT: frozenset[Intention] = _ENGINE | {"add context"}

_INTENTIONS: Mapping[str, frozenset[Intention]] = {
    "SessionStart": frozenset({"add context", "notify user"}),
    "UserPromptSubmit": _ENGINE | {"deny", "add context"},
    "PreToolUse": _ENGINE | {"deny", "ask", "rewrite input"},
    "PostToolUse": _RESULT,
    "PostToolUseFailure": _RESULT,
    "Stop": _ENGINE | {"deny"},
}

_UNASKED = unasked("no person is known to be at Gemini CLI's terminal")

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
    if name == "PreToolUse" and outcome.verdict in ("ask", "defer"):
        outcome = _question(event, outcome)
    elif name in ("PostToolUse", "PostToolUseFailure"):
        outcome = as_context(outcome)
    elif name == "Stop":
        outcome = with_feedback(event, outcome)
    verdict = outcome.verdict if outcome.verdict in possible else None
    rewrites = "rewrite input" in possible and verdict != "deny"
    stops = outcome.stops_turn and "stop turn" in possible
    replaces = "add context" in possible and name.startswith("PostToolUse")
    reduced = replace(
        outcome,
        verdict=verdict,
        reason=outcome.reason if verdict else "",
        context=outcome.context if "add context" in possible else "",
        system_message=outcome.system_message if "notify user" in possible else "",
        updated_input=outcome.updated_input if rewrites else None,
        stops_turn=stops,
        stop_reason=outcome.stop_reason if stops else "",
        event_fields=outputs_of(outcome) if replaces else {},
    )
    return with_reason(reduced)


def denial_template(event: str) -> str:
    """Return the denial of an event, `@` in place of the reason; "" if it cannot be denied.

    >>> denial_template("PreToolUse")
    '{"decision":"deny","reason":@}'
    """
    return '{"decision":"deny","reason":@}' if "deny" in intentions(event) else ""


def _question(event: HookInput, outcome: Outcome) -> Outcome:
    """Return a question if a person can answer it, else a denial."""
    return replace(outcome, verdict="ask") if event.interactive else denied(outcome, _UNASKED)
