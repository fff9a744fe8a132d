"""Substitutes: what is done in place of an intention that a client does not carry out."""

import json
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from hookd.clients.contract import Intention
from hookd.core.model.verdict import Outcome
from hookd.events.model import HookInput
from hookd.events.tool_results import text_of

OUTPUTS = ("tool_output", "mcp_tool_output")
"""Fields of an outcome that replace a call's result."""

NO_REASON = "hookd denies this, and gives no reason for it."
"""The reason of a denial that has none."""


def unasked(why: str) -> str:
    """Return the reason of a denial in place of a question; `why` it cannot be asked, a clause."""
    return (
        f"hookd would ask the user about this call, but {why}, so the call is denied. Do not try it"
        " in another way: stop here, and let the user decide."
    )


def denied(outcome: Outcome, why: str) -> Outcome:
    """Return a call's outcome as a denial; `why` is added to the reason. Nothing is rewritten."""
    reason = joined(outcome.reason.strip(), why, between=" ")
    return replace(outcome, verdict="deny", reason=reason, updated_input=None)


def with_reason(outcome: Outcome) -> Outcome:
    """Return an outcome whose denial has a reason."""
    empty = outcome.verdict == "deny" and not outcome.reason.strip()
    return replace(outcome, reason=NO_REASON) if empty else outcome


def limited(outcome: Outcome, possible: Collection[Intention]) -> Outcome:
    """Return an outcome without the intentions that are not possible; a denial has a reason."""
    verdict = outcome.verdict if outcome.verdict in possible else None
    rewrites = "rewrite input" in possible and verdict != "deny"
    stops = outcome.stops_turn and "stop turn" in possible
    return with_reason(
        replace(
            outcome,
            verdict=verdict,
            reason=outcome.reason if verdict else "",
            context=outcome.context if "add context" in possible else "",
            system_message=outcome.system_message if "notify user" in possible else "",
            updated_input=outcome.updated_input if rewrites else None,
            stops_turn=stops,
            stop_reason=outcome.stop_reason if stops else "",
            allowable=outcome.allowable and verdict is not None,
        )
    )


def as_context(outcome: Outcome) -> Outcome:
    """Return an outcome after a call with its reason as context, not as a denial."""
    if outcome.verdict is None:
        return outcome
    text = joined(outcome.reason, outcome.context) if outcome.verdict == "deny" else outcome.context
    return replace(outcome, verdict=None, reason="", context=text)


def with_feedback(event: HookInput, outcome: Outcome) -> Outcome:
    """Return an outcome at a stop with its feedback as a reason to continue.

    Only at a stop that follows no block: feedback is not counted by the limit of blocked stops.
    After one, the user reads it.
    """
    text = outcome.event_fields.get("stop_feedback")
    if not isinstance(text, str) or not text or outcome.stops_turn:
        return outcome
    if outcome.verdict == "deny":
        return replace(outcome, reason=joined(outcome.reason, text))
    if getattr(event, "stop_hook_active", False):
        return replace(outcome, system_message=joined(outcome.system_message, text))
    return replace(outcome, verdict="deny", reason=text)


def denied_at_stop(outcome: Outcome) -> Outcome:
    """Return an outcome with a denial in place of the end of the turn."""
    if not outcome.stops_turn:
        return outcome
    own = outcome.reason if outcome.verdict == "deny" else ""
    return replace(
        outcome,
        verdict="deny",
        reason=own or outcome.stop_reason or "hookd would end this turn. Stop here.",
        stops_turn=False,
        stop_reason="",
        allowable=outcome.allowable and outcome.verdict == "deny",
    )


def told_after_call(outcome: Outcome) -> str:
    """Return the context after a call, with the reasons to deny it and to end the turn.

    The result stays, and the turn continues.
    """
    reason = outcome.reason if outcome.verdict == "deny" else ""
    if outcome.stops_turn:
        stop = f"hookd would end this turn: {outcome.stop_reason}".rstrip(": ")
        reason = joined(reason, f"{stop}. Stop here, and let the user decide.")
    return joined(reason, outcome.context)


def with_input(changed: Mapping[str, Any]) -> str:
    """Return the sentence that names the input with which a denied call may be made."""
    safe = json.dumps(changed, ensure_ascii=False)
    return f"hookd allows this call only with another input. Make it with this one: {safe}"


def for_user(message: str) -> str:
    """Return a message for the user as context, for a client that shows the user none."""
    return f"Tell the user in your next message, this is from hookd: {message}" if message else ""


def outputs_of(outcome: Outcome) -> dict[str, Any]:
    """Return the fields of an outcome that replace a call's result."""
    return {one: outcome.event_fields[one] for one in OUTPUTS if one in outcome.event_fields}


def output_text(outcome: Outcome) -> str | None:
    """Return the text in place of a call's result, None to keep the result."""
    found = [*outputs_of(outcome).values()]
    if not found:
        return None
    text = text_of(found[0])
    return json.dumps(found[0], ensure_ascii=False, default=str) if text is None else text


def joined(*texts: str, between: str = "\n\n") -> str:
    """Return the texts that are not empty as one."""
    return between.join(text for text in texts if text)
