"""Encoding of an outcome as the answer that hookd's plugin for opencode carries out.

Its keys are those of the plugin, `plugin.js`: deny, args, output and context.
"""

from hookd.clients.answer_texts import AnswerTexts
from hookd.clients.contract import Json, Rendered
from hookd.clients.opencode.capabilities import feasible, intentions
from hookd.clients.opencode.decode import arguments
from hookd.clients.substitutes import output_text
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
    answer: Json = {}
    if outcome.verdict == "deny":
        answer["deny"] = texts.reason(outcome)
    if outcome.updated_input is not None:
        answer["args"] = arguments(event, outcome.updated_input)
    output = output_text(outcome)
    if output is not None:
        answer["output"] = texts.cut(output)
    if outcome.context:
        answer["context"] = texts.cut(outcome.context)
    return Rendered(answer or None, texts.overflow, outcome.updated_input is not None)
