"""Encoding of an outcome as the JSON that Copilot CLI accepts on an event: one flat object.

It ignores Claude Code's nested shape in camelCase, and the call runs. The flat shape counts in both
spellings, but for another tool input. Source: Copilot CLI 1.0.102.
"""

from hookd.clients.answer_texts import AnswerTexts
from hookd.clients.contract import Json, Rendered
from hookd.clients.copilot.capabilities import feasible, intentions
from hookd.clients.copilot.decode import TOOLS
from hookd.clients.substitutes import output_text
from hookd.clients.tool_table import input_in_client
from hookd.core.model.verdict import Outcome
from hookd.events.model import HookInput


def render(event: HookInput, outcome: Outcome, number: int, spill: str = "") -> Rendered:
    """Return the answer to an event; an outcome that the event cannot express is silence.

    `number` is the event's: it is added to the reason, by which a person can look up the decision;
    0: it is not stored. `spill` is the file that will contain texts that are cut here.
    """
    if not intentions(event.hook_event_name):
        return Rendered(None)
    texts, outcome = AnswerTexts(number, spill), feasible(event, outcome)
    answer = _decision(event, outcome, texts)
    if outcome.context:
        answer["additionalContext"] = texts.cut(outcome.context)
    return Rendered(answer or None, texts.overflow, outcome.updated_input is not None)


def _decision(event: HookInput, outcome: Outcome, texts: AnswerTexts) -> Json:
    name, verdict = event.hook_event_name, outcome.verdict
    reason = texts.reason(outcome) if verdict in ("deny", "ask") else ""
    if name == "PreToolUse":
        return _permission(event, outcome, reason)
    if name == "PermissionRequest" and verdict:
        message = {"message": reason} if reason else {}
        ends = {"interrupt": True} if outcome.stops_turn else {}
        return {"behavior": verdict} | message | ends
    if verdict == "deny":
        return {"decision": "block", "reason": reason}
    output = output_text(outcome)
    if output is None:
        return {}
    return {"modifiedResult": {"resultType": "success", "textResultForLlm": texts.cut(output)}}


def _permission(event: HookInput, outcome: Outcome, reason: str) -> Json:
    answer: Json = {}
    if outcome.verdict:
        answer["permissionDecision"] = outcome.verdict
    if reason:
        answer["permissionDecisionReason"] = reason
    if outcome.updated_input is None:
        return answer
    changed = input_in_client(event, outcome.updated_input, TOOLS)
    if event.client_event:
        return answer | {"modifiedArgs": changed}
    return {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "allow",
            "updatedInput": changed,
        }
    }
