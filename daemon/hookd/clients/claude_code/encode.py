"""Encoding of an outcome as the JSON that Claude Code accepts on an event.

Event and outcome in, one JSON object out, which the shim prints with exit code 0. Source: the hooks
protocol of Claude Code 2.1.329, sections 3.2, 3.3 and 4.2. The client drops an answer of a wrong
shape, and a dropped deny is an allow; so only this module writes answers.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from hookd import json_text
from hookd.clients.claude_code.answer_fields import OF_EVENT, AnswerField, Place
from hookd.clients.claude_code.capabilities import feasible
from hookd.clients.contract import Json, Rendered
from hookd.core.evaluation.texts import with_event_id
from hookd.core.model.verdict import Outcome
from hookd.events.protocol import EVENTS, MAX_TEXT_UNITS, EventSpec, truncate, utf16_length

_Cut = Callable[[str, int], str]
"""Returns a text in at most this many UTF-16 units."""


def render(event: str, outcome: Outcome, number: int, spill: str = "") -> Rendered:
    """Return the answer to an event; an outcome that the event cannot express is silence.

    `number` is the event's: it is added to the reason, by which a person can look up the decision;
    0: it is not stored. `spill` is the file that will contain texts that are cut here.
    """
    spec = EVENTS.get(event)
    if spec is None:
        return Rendered(None)
    overflow: dict[str, None] = {}

    def cut(text: str, room: int) -> str:
        if utf16_length(text) > room:
            overflow[text] = None
        return _cut(text, room, spill)

    outcome = feasible(event, outcome)
    output = _answer(spec, outcome, number, cut) or None
    return Rendered(output, "\n\n".join(overflow) or None, outcome.updated_input is not None)


def has_rewritten(answer: str) -> bool:
    """Return whether an answer, as JSON text, has another tool input."""
    return '"updatedInput"' in answer


def with_input(payload: Mapping[str, Any], tool_input: Json) -> Json:
    """Return the payload of a tool call as the client would send it with another input."""
    return {**payload, "tool_input": tool_input}


def verdict_of(answer: bytes) -> str | None:
    """Return the permission decision in a stored answer, None if it has none."""
    output = json_text.parse(answer)
    specific = output.get("hookSpecificOutput", {}) if isinstance(output, dict) else {}
    decision: str | None = specific.get("permissionDecision")
    return decision


def _answer(spec: EventSpec, outcome: Outcome, number: int, cut: _Cut) -> Json:
    sign = partial(with_event_id, event_id=number, allowable=outcome.allowable)
    reason = _signed(outcome.reason, sign, cut) if outcome.verdict else ""
    answer: Json = {}
    if spec.decides == "block" and outcome.verdict:
        answer = {"decision": "block", "reason": reason}
    if outcome.stops_turn:
        answer["continue"] = False
        if outcome.stop_reason:
            sign = partial(with_event_id, event_id=number)
            answer["stopReason"] = _signed(outcome.stop_reason, sign, cut)
    if outcome.system_message:
        answer["systemMessage"] = cut(outcome.system_message, MAX_TEXT_UNITS)
    answer |= _event_fields(spec, outcome, "top", cut)
    if specific := _specific(spec, outcome, reason, cut):
        answer["hookSpecificOutput"] = {"hookEventName": spec.name} | specific
    return answer


def _specific(spec: EventSpec, outcome: Outcome, reason: str, cut: _Cut) -> Json:
    specific: Json = {}
    if spec.decides in ("permission", "switch") and outcome.verdict:
        specific |= {"permissionDecision": outcome.verdict, "permissionDecisionReason": reason}
    if spec.decides == "request":
        specific |= _request(outcome, reason, _event_fields(spec, outcome, "decision", cut))
    elif outcome.updated_input is not None:
        specific["updatedInput"] = outcome.updated_input
    if outcome.context:
        specific["additionalContext"] = cut(outcome.context, MAX_TEXT_UNITS)
    return specific | _event_fields(spec, outcome, "specific", cut)


def _request(outcome: Outcome, reason: str, fields: Json) -> Json:
    if outcome.verdict == "deny":
        return {"decision": {"behavior": "deny", "message": reason} | fields}
    if outcome.verdict == "allow":
        changed = outcome.updated_input
        rewritten = {} if changed is None else {"updatedInput": changed}
        return {"decision": {"behavior": "allow"} | rewritten | fields}
    return {}  # the prompt that is about to be shown is the question


def _event_fields(spec: EventSpec, outcome: Outcome, place: Place, cut: _Cut) -> Json:
    """Return the keys in this place that only some events take, each text cut to its room."""
    return {
        field.key: _sized(field, outcome.event_fields[field.name], cut)
        for field in OF_EVENT[spec.name]
        if field.place == place and field.name in outcome.event_fields
    }


def _sized(field: AnswerField, value: Any, cut: _Cut) -> Any:
    return cut(value, field.max_units) if field.max_units and isinstance(value, str) else value


def _signed(reason: str, sign: Callable[[str], str], cut: _Cut) -> str:
    return sign(cut(reason, MAX_TEXT_UNITS - len(sign("")))).lstrip()


def _cut(text: str, room: int, spill: str = "") -> str:
    """Cut a text, never inside a character, with a mark that names the file of the whole text."""
    mark = f"\n[cut by hookd: the whole text is in {spill}]"
    if utf16_length(text) <= room or not spill or utf16_length(mark) > room // 2:
        return truncate(text, room)
    head = text.encode("utf-16-le", "replace")[: (room - utf16_length(mark)) * 2]
    return head.decode("utf-16-le", "ignore") + mark
