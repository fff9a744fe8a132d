"""Claude Code's tongue: an outcome as exactly the JSON that this event accepts.

Source: the hooks protocol of Claude Code 2.1.329, sections 3.2, 3.3 and 4.2. A wrongly shaped
answer is dropped by the client, and a dropped deny is an allow; so nothing else writes this JSON.
"""

from typing import Any

from hookd.core.outcome import Outcome
from hookd.core.protocol import EVENTS, EventSpec, fits
from hookd.core.wording import signed


def render(event: str, outcome: Outcome, event_id: int) -> dict[str, Any] | None:
    """Return the object for the client, or None for silence: nothing to say, or no way to say it.

    An `ask` that the event cannot express is silence: the client's own flow goes on. `event_id`
    is put behind the reason, so that a person can look the decision up.
    """
    spec = EVENTS.get(event)
    if spec is None:
        return None
    reason = signed(outcome.reason, event_id) if outcome.verdict else ""
    answer: dict[str, Any] = {}
    if spec.decides == "block" and outcome.verdict == "deny":
        answer = {"decision": "block", "reason": reason}
    if outcome.system_message and spec.engine:
        answer["systemMessage"] = fits(outcome.system_message)
    if specific := _specific(spec, outcome, reason):
        answer["hookSpecificOutput"] = {"hookEventName": event} | specific
    return answer or None


def _specific(spec: EventSpec, outcome: Outcome, reason: str) -> dict[str, Any]:
    said: dict[str, Any] = {}
    if spec.decides == "permission" and outcome.verdict:
        said |= {"permissionDecision": outcome.verdict, "permissionDecisionReason": reason}
    if spec.decides == "switch" and outcome.verdict in ("deny", "ask", "allow"):
        said |= {"permissionDecision": outcome.verdict, "permissionDecisionReason": reason}
    if spec.decides == "request":
        said |= _request(outcome, reason)
    if spec.decides == "permission" and outcome.updated_input is not None:
        said["updatedInput"] = outcome.updated_input
    if outcome.context and spec.context:
        said["additionalContext"] = fits(outcome.context)
    return said


def _request(outcome: Outcome, reason: str) -> dict[str, Any]:
    if outcome.verdict == "deny":
        return {"decision": {"behavior": "deny", "message": reason}}
    if outcome.verdict == "allow":
        allowed: dict[str, Any] = {"behavior": "allow"}
        if outcome.updated_input is not None:
            allowed["updatedInput"] = outcome.updated_input
        return {"decision": allowed}
    return {}  # the prompt that is about to show is the asking
