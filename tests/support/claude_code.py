"""Answers of hookd as Claude Code gets them."""

from typing import Any

from hookd.clients.claude_code import encode
from hookd.core.model.verdict import Outcome
from hookd.events.model import HookInput


def render(event: str, outcome: Outcome, number: int, spill: str = "") -> dict[str, Any] | None:
    """Return the JSON object of an answer, None for silence."""
    return encode.render(HookInput(hook_event_name=event), outcome, number, spill).output


def overflow(event: str, outcome: Outcome, number: int) -> str | None:
    """Return the texts that are cut in an answer, None if all of them fit."""
    return encode.render(HookInput(hook_event_name=event), outcome, number).overflow_text
