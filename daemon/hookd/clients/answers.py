"""Stored answers, whichever client they were for: texts, verdict, another tool input.

The clients use different keys for different things, so one reading suffices for all.
"""

from typing import Any

from hookd import json_text
from hookd.display.explanation import Told

_REWRITES = ('"updatedInput"', '"modifiedArgs"', '"tool_input"', '"args"')


def told(event: str, answer: Any) -> tuple[Told, ...]:
    """Return the texts of the answer to an event, those for the model first."""
    if not isinstance(answer, dict):
        return ()
    specific = answer.get("hookSpecificOutput")
    parts = specific if isinstance(specific, dict) else {}
    decision = parts.get("decision")
    request = decision if isinstance(decision, dict) else answer
    by = "user" if _verdict(answer) in ("ask", "allow") else "model"
    texts = (
        (by, parts.get("permissionDecisionReason")),
        (by, answer.get("permissionDecisionReason")),
        ("model", request.get("message")),
        ("model", answer.get("deny")),
        ("user" if event == "UserPromptSubmit" else by, answer.get("reason")),
        ("model", parts.get("additionalContext")),
        ("model", answer.get("additionalContext")),
        ("model", answer.get("context")),
        ("user", answer.get("systemMessage")),
        ("user", answer.get("stopReason")),
    )
    found = [(to, text) for to, text in texts if isinstance(text, str) and text]
    found.sort(key=lambda one: one[0])
    return tuple(Told("model" if to == "model" else "user", text) for to, text in found)


def verdict_of(answer: bytes) -> str | None:
    """Return the permission decision in a stored answer, None if it has none."""
    output = json_text.parse(answer)
    return _verdict(output) if isinstance(output, dict) else None


def has_rewritten(answer: str) -> bool:
    """Return whether an answer, as JSON text, has another tool input."""
    return any(key in answer for key in _REWRITES)


def _verdict(answer: dict[str, Any]) -> str | None:
    """Return deny, ask or allow of a decision on a call, in any client's place for it."""
    specific = answer.get("hookSpecificOutput")
    parts = specific if isinstance(specific, dict) else {}
    for given in (parts.get("permissionDecision"), answer.get("permissionDecision")):
        if isinstance(given, str):
            return given
    decision = "deny" if "deny" in answer else answer.get("decision")
    return decision if decision in ("deny", "ask", "allow") else None
