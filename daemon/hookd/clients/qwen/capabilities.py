"""Capabilities of Qwen Code: the intentions it carries out on each event, and the substitutes.

Its answers are Claude Code's, with exceptions: another tool input and context are ignored before a
call, and a block after it. A question is asked in a terminal, and is a denial elsewhere. Source:
Qwen Code 0.24.4.
"""

import json
from collections.abc import Mapping
from dataclasses import replace

from hookd.clients.claude_code import capabilities as claude_code
from hookd.clients.contract import Intention
from hookd.clients.qwen.tools import TOOLS
from hookd.clients.substitutes import (
    OUTPUTS,
    as_context,
    denied,
    joined,
    with_feedback,
    with_reason,
)
from hookd.clients.tool_table import input_in_client
from hookd.core.model.verdict import Outcome
from hookd.events.model import HookInput

_IGNORED: Mapping[str, frozenset[Intention]] = {
    "PreToolUse": frozenset({"defer", "rewrite input", "add context"}),
    "PostToolUse": frozenset({"deny"}),
    "PostToolBatch": frozenset({"deny"}),
}
"""What Claude Code carries out on an event and Qwen Code does not."""

_IGNORED_FIELDS = frozenset({*OUTPUTS, "stop_feedback"})

_ASKED = "Without a person to answer, Qwen Code denies the call."
_UNCHANGED = "hookd leaves that call as it is."
_OTHER_FORM = "hookd allows this call only in another form. Make this call instead: {}"

_SILENCE = Outcome()


def intentions(event: str) -> frozenset[Intention]:
    """Return the intentions that an answer to an event can express; none for an unknown event."""
    return claude_code.intentions(event) - _IGNORED.get(event, frozenset())


def feasible(event: HookInput, outcome: Outcome) -> Outcome:
    """Return the outcome reduced to what an answer to this event can express."""
    if outcome == _SILENCE:
        return outcome
    found = _substituted(event, outcome)
    fields = {key: one for key, one in found.event_fields.items() if key not in _IGNORED_FIELDS}
    found = claude_code.feasible(event, replace(found, event_fields=fields))
    if event.hook_event_name == "PreToolUse":
        found = replace(found, context="", updated_input=None)
    return with_reason(found)


def denial_template(event: str) -> str:
    """Return the denial of an event, `@` in place of the reason; "" if it cannot be denied."""
    return claude_code.denial_template(event) if "deny" in intentions(event) else ""


def _substituted(event: HookInput, outcome: Outcome) -> Outcome:
    """Return the outcome with what is done in place of what Qwen Code does not carry out."""
    match event.hook_event_name:
        case "PreToolUse":
            return _call(event, outcome)
        case "PostToolUse" | "PostToolBatch":
            return as_context(outcome)
        case "Stop" | "SubagentStop":
            return with_feedback(event, outcome)
        case _:
            return outcome


def _call(event: HookInput, outcome: Outcome) -> Outcome:
    """Return an outcome before a call, without another input: that one is named in a denial."""
    if outcome.updated_input is not None and outcome.verdict != "deny":
        if _same(getattr(event, "tool_input", {}), outcome.updated_input):
            return _call(event, replace(outcome, updated_input=None))
        other = _other_form(event, outcome.updated_input)
        return replace(denied(outcome, other), allowable=False)
    if outcome.verdict in ("ask", "defer"):
        reason = joined(outcome.reason.strip(), _ASKED, between=" ")
        return replace(outcome, verdict="ask", reason=reason)
    return outcome


def _same(given: dict[str, object], other: dict[str, object]) -> bool:
    """Return whether another input has the same effect: the model has made the call as named."""

    def effects(one: dict[str, object]) -> dict[str, object]:
        return {key: one[key] for key in one if key != "description" and one[key] is not False}

    return effects(given) == effects(other)


def _other_form(event: HookInput, given: dict[str, object]) -> str:
    """Return the call that hookd allows, by its command if the tool runs one."""
    tool = event.client_tool or str(getattr(event, "tool_name", ""))
    command = given.get("command")
    if isinstance(command, str):
        return _OTHER_FORM.format(f"{tool} with this command:\n{command}\n{_UNCHANGED}")
    own = input_in_client(event, given, TOOLS)
    return _OTHER_FORM.format(f"{tool} with {json.dumps(own, ensure_ascii=False)}\n{_UNCHANGED}")
