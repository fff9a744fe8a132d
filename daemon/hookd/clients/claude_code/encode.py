"""Encoding of an outcome as the JSON that Claude Code accepts on an event.

Event and outcome in, one JSON object out, which the shim prints with exit code 0. Source: the hooks
protocol of Claude Code 2.1.329, sections 3.2, 3.3 and 4.2. The client drops an answer of a wrong
shape, and a dropped deny is an allow; so only this module writes answers.
"""

from typing import Any

from hookd.clients.answer_texts import AnswerTexts
from hookd.clients.claude_code.capabilities import feasible
from hookd.clients.contract import Json, Rendered
from hookd.core.model.verdict import Outcome
from hookd.events.answer_fields import OF_EVENT, AnswerField, Place
from hookd.events.model import HookInput
from hookd.events.protocol import EVENTS, EventSpec


def render(event: HookInput, outcome: Outcome, number: int, spill: str = "") -> Rendered:
    """Return the answer to an event; an outcome that the event cannot express is silence.

    `number` is the event's: it is added to the reason, by which a person can look up the decision;
    0: it is not stored. `spill` is the file that will contain texts that are cut here.
    """
    spec = EVENTS.get(event.hook_event_name)
    if spec is None:
        return Rendered(None)
    texts = AnswerTexts(number, spill)
    outcome = feasible(event, outcome)
    output = _answer(spec, outcome, texts) or None
    return Rendered(output, texts.overflow, outcome.updated_input is not None)


def _answer(spec: EventSpec, outcome: Outcome, texts: AnswerTexts) -> Json:
    reason = texts.reason(outcome) if outcome.verdict else ""
    answer: Json = {}
    if spec.decides == "block" and outcome.verdict:
        answer = {"decision": "block", "reason": reason}
    if outcome.stops_turn:
        answer["continue"] = False
        if outcome.stop_reason:
            answer["stopReason"] = texts.stop_reason(outcome)
    if outcome.system_message:
        answer["systemMessage"] = texts.cut(outcome.system_message)
    answer |= _event_fields(spec, outcome, "top", texts)
    if specific := _specific(spec, outcome, reason, texts):
        answer["hookSpecificOutput"] = {"hookEventName": spec.name} | specific
    return answer


def _specific(spec: EventSpec, outcome: Outcome, reason: str, texts: AnswerTexts) -> Json:
    specific: Json = {}
    if spec.decides in ("permission", "switch") and outcome.verdict:
        specific |= {"permissionDecision": outcome.verdict, "permissionDecisionReason": reason}
    if spec.decides == "request":
        specific |= _request(outcome, reason, _event_fields(spec, outcome, "decision", texts))
    elif outcome.updated_input is not None:
        specific["updatedInput"] = outcome.updated_input
    if outcome.context:
        specific["additionalContext"] = texts.cut(outcome.context)
    return specific | _event_fields(spec, outcome, "specific", texts)


def _request(outcome: Outcome, reason: str, fields: Json) -> Json:
    if outcome.verdict == "deny":
        return {"decision": {"behavior": "deny", "message": reason} | fields}
    if outcome.verdict == "allow":
        changed = outcome.updated_input
        rewritten = {} if changed is None else {"updatedInput": changed}
        return {"decision": {"behavior": "allow"} | rewritten | fields}
    return {}  # the prompt that is about to be shown is the question


def _event_fields(spec: EventSpec, outcome: Outcome, place: Place, texts: AnswerTexts) -> Json:
    """Return the keys in this place that only some events take, each text cut to its room."""
    return {
        field.key: _sized(field, outcome.event_fields[field.name], texts)
        for field in OF_EVENT[spec.name]
        if field.place == place and field.name in outcome.event_fields
    }


def _sized(field: AnswerField, value: Any, texts: AnswerTexts) -> Any:
    fits = not field.max_units or not isinstance(value, str)
    return value if fits else texts.cut(value, field.max_units)
