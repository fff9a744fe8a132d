"""Encoding of an outcome as the JSON that Qwen Code accepts on an event.

The form is Claude Code's, but for inputs of tools, which have Qwen Code's own names. Source: Qwen
Code 0.24.4.
"""

from dataclasses import replace

from hookd.clients.claude_code import encode as claude_code
from hookd.clients.contract import Rendered
from hookd.clients.qwen.capabilities import feasible
from hookd.clients.qwen.tools import TOOLS
from hookd.clients.tool_table import input_in_client
from hookd.core.model.verdict import Outcome
from hookd.events.model import HookInput


def render(event: HookInput, outcome: Outcome, number: int, spill: str = "") -> Rendered:
    """Return the answer to an event; an outcome that the event cannot express is silence.

    `number` is the event's: it is added to the reason, by which a person can look up the decision;
    0: it is not stored. `spill` is the file that will contain texts that are cut here.
    """
    outcome = feasible(event, outcome)
    if outcome.updated_input is not None:
        changed = input_in_client(event, outcome.updated_input, TOOLS)
        outcome = replace(outcome, updated_input=changed)
    rendered = claude_code.render(event, outcome, number, spill)
    specific = (rendered.output or {}).get("hookSpecificOutput")
    if isinstance(specific, dict) and event.client_event:
        specific["hookEventName"] = event.client_event
    return rendered
