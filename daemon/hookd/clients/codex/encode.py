"""Encoding of an outcome as the JSON that Codex accepts on an event.

Event and outcome in, one JSON object out, which the shim prints with exit code 0. Each schema of
Codex is closed: for a key that it does not know it drops the answer, and a dropped deny is an
allow. Source: the schemas in Codex 0.169.0.
"""

from hookd.clients.answer_texts import AnswerTexts
from hookd.clients.codex.capabilities import feasible, intentions
from hookd.clients.codex.decode import TOOLS
from hookd.clients.contract import Json, Rendered
from hookd.clients.substitutes import output_text
from hookd.clients.tool_table import input_in_client
from hookd.core.model.verdict import Outcome
from hookd.events.model import HookInput

MAX_TEXT_BYTES = 10_000
"""Bytes of UTF-8 that Codex takes per text, 2,500 tokens; of longer ones it shows both ends."""

_NO_OUTPUT = "[hookd: the tool has no output]"


def render(event: HookInput, outcome: Outcome, number: int, spill: str = "") -> Rendered:
    """Return the answer to an event; an outcome that the event cannot express is silence.

    `number` is the event's: it is added to the reason, by which a person can look up the decision;
    0: it is not stored. `spill` is the file that will contain texts that are cut here.
    """
    if not intentions(event.hook_event_name):
        return Rendered(None)
    texts = AnswerTexts(number, spill, MAX_TEXT_BYTES, "utf-8")
    outcome = feasible(event, outcome)
    output = _answer(event, outcome, texts) or None
    return Rendered(output, texts.overflow, outcome.updated_input is not None)


def _answer(event: HookInput, outcome: Outcome, texts: AnswerTexts) -> Json:
    answer, specific = _decision(event, outcome, texts)
    if outcome.stops_turn:
        stop = outcome.stop_reason and texts.stop_reason(outcome)
        answer |= {"continue": False} | ({"stopReason": stop} if stop else {})
    if outcome.system_message:
        answer["systemMessage"] = texts.cut(outcome.system_message)
    if outcome.context:
        specific["additionalContext"] = texts.cut(outcome.context)
    if specific:
        answer["hookSpecificOutput"] = {"hookEventName": event.hook_event_name} | specific
    return answer


def _decision(event: HookInput, outcome: Outcome, texts: AnswerTexts) -> tuple[Json, Json]:
    """Return the keys of the decision: those of the answer, and those specific to the event."""
    name, verdict = event.hook_event_name, outcome.verdict
    reason = texts.reason(outcome) if verdict == "deny" else ""
    if name == "PreToolUse" and verdict == "deny":
        return {}, {"permissionDecision": "deny", "permissionDecisionReason": reason}
    if name == "PreToolUse" and outcome.updated_input is not None:
        changed = input_in_client(event, outcome.updated_input, TOOLS)
        return {}, {"permissionDecision": "allow", "updatedInput": changed}
    if name == "PermissionRequest" and verdict:
        message = {"message": reason} if verdict == "deny" else {}
        return {}, {"decision": {"behavior": verdict} | message}
    if verdict == "deny":
        return {"decision": "block", "reason": reason}, {}
    output = output_text(outcome)
    if output is not None:
        return {
            "decision": "block",
            "reason": texts.cut(output if output.strip() else _NO_OUTPUT),
        }, {}
    return {}, {}
