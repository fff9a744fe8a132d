"""Capabilities of Claude Code: the intentions it carries out on each event.

Event in, intentions out. An intention that the event cannot express becomes silence, and the
client continues by its own rules: a permission prompt, for example, is shown in place of an `ask`.
"""

from collections.abc import Mapping
from dataclasses import replace

from hookd.clients.contract import Intention
from hookd.core.model.verdict import Outcome
from hookd.events.answer_fields import ANSWER_FIELDS
from hookd.events.model import HookInput
from hookd.events.protocol import EVENTS, Decides

_DECIDES: Mapping[Decides | None, frozenset[Intention]] = {
    "permission": frozenset({"deny", "defer", "ask", "allow", "rewrite input"}),
    "request": frozenset({"deny", "allow", "rewrite input"}),
    "switch": frozenset({"deny", "ask", "allow"}),
    "block": frozenset({"deny"}),
    None: frozenset(),
}
_CONTEXT: frozenset[Intention] = frozenset({"add context"})
_ENGINE: frozenset[Intention] = frozenset({"notify user", "stop turn"})
_REQUEST_FIELDS = {"interrupt": "deny", "permission_updates": "allow"}
"""Fields of a PermissionRequest's decision, and the verdict that each belongs to."""


def intentions(event: str) -> frozenset[Intention]:
    """Return the intentions that an answer to an event can express; none for an unknown event."""
    spec = EVENTS.get(event)
    if spec is None:
        return frozenset()
    own = _CONTEXT if spec.context else frozenset[Intention]()
    return _DECIDES[spec.decides] | own | (_ENGINE if spec.engine else frozenset())


_SILENCE = Outcome()


def feasible(event: HookInput, outcome: Outcome) -> Outcome:
    """Return the outcome reduced to what an answer to this event can express."""
    if outcome == _SILENCE:
        return outcome
    name = event.hook_event_name
    possible = intentions(name)
    verdict = outcome.verdict if outcome.verdict in possible else None
    rewrites = "rewrite input" in possible
    if rewrites and EVENTS[name].decides == "request":
        rewrites = verdict == "allow"
    stops = outcome.stops_turn and "stop turn" in possible
    return replace(
        outcome,
        verdict=verdict,
        reason=outcome.reason if verdict else "",
        context=outcome.context if "add context" in possible else "",
        system_message=outcome.system_message if "notify user" in possible else "",
        updated_input=outcome.updated_input if rewrites else None,
        stops_turn=stops,
        stop_reason=outcome.stop_reason if stops else "",
        event_fields={
            field: value
            for field, value in outcome.event_fields.items()
            if field in ANSWER_FIELDS
            and name in ANSWER_FIELDS[field].events
            and _REQUEST_FIELDS.get(field, verdict) == verdict
        },
    )


def denial_template(event: str) -> str:
    """Return the denial of an event, `@` in place of the reason; "" if it cannot be denied.

    >>> denial_template("UserPromptSubmit")
    '{"decision":"block","reason":@}'
    """
    spec = EVENTS.get(event)
    if spec is None or "deny" not in intentions(event):
        return ""
    if spec.decides == "block":
        return '{"decision":"block","reason":@}'
    own = '"permissionDecision":"deny","permissionDecisionReason":@'
    if spec.decides == "request":
        own = '"decision":{"behavior":"deny","message":@}'
    return f'{{"hookSpecificOutput":{{"hookEventName":"{event}",{own}}}}}'
