"""Encoding of an outcome as the JSON that Gemini CLI accepts on an event.

Event and outcome in, one JSON object out, which the shim prints with exit code 0. Gemini CLI reads
a decision at the top level alone. Source: Gemini CLI 0.61.0.
"""

from hookd.clients.answer_texts import AnswerTexts
from hookd.clients.contract import Json, Rendered
from hookd.clients.gemini.capabilities import feasible
from hookd.clients.gemini.tools import input_of_call
from hookd.clients.substitutes import joined, output_text
from hookd.core.model.verdict import Outcome
from hookd.events.model import HookInput

_REPLACED = "The call has run. hookd replaces its result by this:"


def render(event: HookInput, outcome: Outcome, number: int, spill: str = "") -> Rendered:
    """Return the answer to an event; an outcome that the event cannot express is silence.

    `number` is the event's: it is added to the reason, by which a person can look up the decision;
    0: it is not stored. `spill` is the file that will contain texts that are cut here.
    """
    outcome = feasible(event, outcome)
    texts = AnswerTexts(number, spill)
    answer = _decision(outcome, texts)
    if outcome.stops_turn:
        answer["continue"] = False
        if outcome.stop_reason:
            answer["stopReason"] = texts.stop_reason(outcome)
    asked = answer["reason"] if outcome.verdict == "ask" else ""
    if message := joined(asked, outcome.system_message):
        answer["systemMessage"] = texts.cut(message)
    specific: Json = {}
    if outcome.updated_input is not None:
        specific["tool_input"] = input_of_call(event, outcome.updated_input)
    if outcome.context:
        specific["additionalContext"] = texts.cut(outcome.context)
    if specific:
        name = event.client_event or event.hook_event_name
        answer["hookSpecificOutput"] = {"hookEventName": name} | specific
    return Rendered(answer or None, texts.overflow, outcome.updated_input is not None)


def _decision(outcome: Outcome, texts: AnswerTexts) -> Json:
    if outcome.verdict:
        return {"decision": outcome.verdict, "reason": texts.reason(outcome)}
    output = output_text(outcome)
    if output is None:
        return {}
    return {"decision": "deny", "reason": texts.cut(joined(_REPLACED, output, between="\n"))}
