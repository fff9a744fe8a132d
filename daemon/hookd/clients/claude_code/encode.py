"""Claude Code's tongue: an outcome as exactly the JSON that this event accepts.

Source: the hooks protocol of Claude Code 2.1.329, sections 3.2, 3.3 and 4.2. A wrongly shaped
answer is dropped by the client, and a dropped deny is an allow; so nothing else writes this JSON.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from hookd.core.evaluation.texts import with_event_id
from hookd.core.model.verdict import Outcome
from hookd.events.answer_fields import EVENT_FIELDS, Field, Place
from hookd.events.protocol import EVENTS, MAX_TEXT_UNITS, EventSpec, truncate, utf16_length

_Cut = Callable[[str, int], str]
"""Returns a text in at most so many UTF-16 units."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """An answer as JSON, None for silence, and the whole of the texts that were cut in it."""

    output: dict[str, Any] | None
    overflow_text: str | None


def render(event: str, outcome: Outcome, event_id: int, spill: str = "") -> Rendered:
    """Return the client's object for an outcome; silence if the event cannot express it.

    An `ask` that the event cannot express is silence: the client's own flow continues. `event_id`
    is put behind the reason, so that a person can look the decision up; 0: no number. `spill` is
    the file that will have the overflow text; a text that is cut names it.
    """
    overflow: dict[str, None] = {}

    def cut(text: str, room: int) -> str:
        if utf16_length(text) > room:
            overflow[text] = None
        return _cut(text, room, spill)

    output = _built(event, outcome, event_id, cut)
    return Rendered(output, "\n\n".join(overflow) or None)


def _built(event: str, outcome: Outcome, event_id: int, cut: _Cut) -> dict[str, Any] | None:
    spec = EVENTS.get(event)
    if spec is None:
        return None
    sign = partial(with_event_id, event_id=event_id, allowable=outcome.allowable)
    reason = _signed(outcome.reason, sign, cut) if outcome.verdict else ""
    answer: dict[str, Any] = {}
    if spec.decides == "block" and outcome.verdict == "deny":
        answer = {"decision": "block", "reason": reason}
    if outcome.stops_turn and spec.engine:
        answer["continue"] = False
        if outcome.stop_reason:
            sign = partial(with_event_id, event_id=event_id)
            answer["stopReason"] = _signed(outcome.stop_reason, sign, cut)
    if outcome.system_message and spec.engine:
        answer["systemMessage"] = cut(outcome.system_message, MAX_TEXT_UNITS)
    answer |= _also(spec, outcome, "top", cut)
    if specific := _specific(spec, outcome, reason, cut):
        answer["hookSpecificOutput"] = {"hookEventName": event} | specific
    return answer or None


def _specific(spec: EventSpec, outcome: Outcome, reason: str, cut: _Cut) -> dict[str, Any]:
    said: dict[str, Any] = {}
    if spec.decides == "permission" and outcome.verdict:
        said |= {"permissionDecision": outcome.verdict, "permissionDecisionReason": reason}
    if spec.decides == "switch" and outcome.verdict in ("deny", "ask", "allow"):
        said |= {"permissionDecision": outcome.verdict, "permissionDecisionReason": reason}
    if spec.decides == "request":
        said |= _request(outcome, reason, _also(spec, outcome, "decision", cut))
    if spec.decides == "permission" and outcome.updated_input is not None:
        said["updatedInput"] = outcome.updated_input
    if outcome.context and spec.context:
        said["additionalContext"] = cut(outcome.context, MAX_TEXT_UNITS)
    return said | _also(spec, outcome, "specific", cut)


def _request(outcome: Outcome, reason: str, also: dict[str, Any]) -> dict[str, Any]:
    if outcome.verdict == "deny":
        interrupt = {name: also[name] for name in also if name == "interrupt"}
        return {"decision": {"behavior": "deny", "message": reason} | interrupt}
    if outcome.verdict == "allow":
        allowed: dict[str, Any] = {"behavior": "allow"}
        if outcome.updated_input is not None:
            allowed["updatedInput"] = outcome.updated_input
        if "updatedPermissions" in also:
            allowed["updatedPermissions"] = also["updatedPermissions"]
        return {"decision": allowed}
    return {}  # the prompt that is about to show is the asking


def _also(spec: EventSpec, outcome: Outcome, place: Place, cut: _Cut) -> dict[str, Any]:
    """Return the fields of this event alone that stand in this place, each text as long as fits."""
    fields = (field for field in EVENT_FIELDS[spec.name] if field.place == place)
    said = {
        field: outcome.event_fields[field.name]
        for field in fields
        if field.name in outcome.event_fields
    }
    return {field.name: _sized(field, value, cut) for field, value in said.items()}


def _sized(field: Field, value: Any, cut: _Cut) -> Any:
    return cut(value, field.max_units) if field.max_units and isinstance(value, str) else value


def _signed(reason: str, sign: Callable[[str], str], cut: _Cut) -> str:
    return sign(cut(reason, MAX_TEXT_UNITS - len(sign("")))).lstrip()


def _cut(text: str, room: int, spill: str = "") -> str:
    """Cut a text, never inside a character, with a mark that names where the whole of it is."""
    mark = f"\n[cut by hookd: the whole text is in {spill}]"
    if utf16_length(text) <= room or not spill or utf16_length(mark) > room // 2:
        return truncate(text, room)
    kept = text.encode("utf-16-le", "replace")[: (room - utf16_length(mark)) * 2]
    return kept.decode("utf-16-le", "ignore") + mark
