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
    limited,
    outputs_of,
    unasked,
    with_feedback,
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

_AFTER_CALL = ("PostToolUse", "PostToolUseFailure")

_UNASKED = unasked("no person is known to be at Gemini CLI's terminal")

_SILENCE = Outcome()


def intentions(event: str) -> frozenset[Intention]:
    """Return the intentions that an answer to an event can express; none for an unknown event."""
    return _INTENTIONS.get(event, frozenset())


def feasible(event: HookInput, outcome: Outcome) -> Outcome:
    """Return the outcome reduced to what an answer to this event can express."""
    if outcome == _SILENCE:
        return outcome
    found = limited(_substituted(event, outcome), intentions(event.hook_event_name))
    after_call = event.hook_event_name in _AFTER_CALL
    return replace(found, event_fields=outputs_of(outcome) if after_call else {})


def denial_template(event: str) -> str:
    """Return the denial of an event, `@` in place of the reason; "" if it cannot be denied.

    >>> denial_template("PreToolUse")
    '{"decision":"deny","reason":@}'
    """
    return '{"decision":"deny","reason":@}' if "deny" in intentions(event) else ""


def _substituted(event: HookInput, outcome: Outcome) -> Outcome:
    """Return the outcome with what is done in place of what Gemini CLI does not carry out."""
    match event.hook_event_name:
        case "PreToolUse" if outcome.verdict in ("ask", "defer"):
            asks = replace(outcome, verdict="ask")
            return asks if event.interactive else denied(outcome, _UNASKED)
        case "PostToolUse" | "PostToolUseFailure":
            return as_context(outcome)
        case "Stop":
            return with_feedback(event, outcome)
        case _:
            return outcome
