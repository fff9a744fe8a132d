"""Texts of an answer: what it gave to the model, and what to the user."""

from typing import Any

from hookd.display.explanation import Told


def told(event: str, answer: Any) -> tuple[Told, ...]:
    """Return the texts of the answer to an event, those for the model first."""
    if not isinstance(answer, dict):
        return ()
    specific = answer.get("hookSpecificOutput")
    parts = specific if isinstance(specific, dict) else {}
    asks = parts.get("permissionDecision") in ("ask", "allow")
    decision = parts.get("decision")
    texts = (
        ("user" if asks else "model", parts.get("permissionDecisionReason")),
        ("model", decision.get("message") if isinstance(decision, dict) else None),
        ("user" if event == "UserPromptSubmit" else "model", answer.get("reason")),
        ("model", parts.get("additionalContext")),
        ("user", answer.get("systemMessage")),
        ("user", answer.get("stopReason")),
    )
    found = [(to, text) for to, text in texts if isinstance(text, str) and text]
    found.sort(key=lambda one: one[0])
    return tuple(Told("model" if to == "model" else "user", text) for to, text in found)
