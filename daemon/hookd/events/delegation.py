"""Delegated work: the tool that starts a subagent, and the subagent's report."""

from collections.abc import Mapping
from typing import Any

from hookd.events.model import PostToolUse
from hookd.events.tool_results import error_of, text_of
from hookd.lazy_dataclass import dataclass

TOOLS = frozenset({"Agent", "Task"})
"""The tool that starts a subagent, and its older name."""

_NOTE = ("<tools-used-before-summary>", "</tools-used-before-summary>")


@dataclass(frozen=True, slots=True)
class Report:
    """The result of a delegated call.

    `text` is the subagent's own text; None if it still runs, if the call failed, or if the response
    has an unknown shape. `stats` counts its tool calls. `agent_id` is set if it can be resumed.
    """

    text: str | None = None
    error: str = ""
    agent_id: str | None = None
    stats: Mapping[str, Any] | None = None


def report(event: PostToolUse) -> Report | None:
    """Return the report of a delegated call; None for a call of another tool."""
    if event.tool_name not in TOOLS:
        return None
    response = event.tool_response
    known = response if isinstance(response, dict) else {}
    text = _own(known) if known else text_of(response)
    error = error_of(response) or _broken(text)
    if error:
        return Report(error=error)
    if known.get("status", "completed") != "completed":
        return Report()
    number, stats = known.get("agentId"), known.get("toolStats")
    asked = isinstance(number, str) and known.get("canContinueAgent") is not False
    return Report(
        text=text,
        agent_id=number if asked and isinstance(number, str) else None,
        stats=stats if isinstance(stats, dict) else None,
    )


def resume_hint(known: Report) -> str:
    """Return the sentence that a subagent can be asked again; "" if it cannot."""
    number = known.agent_id
    return f" The same subagent can be asked again: its id is {number[:64]}." if number else ""


def _own(response: Mapping[str, Any]) -> str | None:
    """Return the subagent's own text, without the blocks that the client adds around it."""
    blocks = response.get("content")
    if not isinstance(blocks, list):
        return text_of(response)
    first, behind = (_number(response.get(f"harness{at}Count")) for at in ("Note", "Tail"))
    return text_of([one for one in blocks[first : len(blocks) - behind] if not _noted(one)])


def _noted(block: Any) -> bool:
    said = (text_of([block]) or "").strip()
    return said.startswith(_NOTE[0]) and said.endswith(_NOTE[1])


def _number(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def _broken(text: str | None) -> str:
    """Return the API error that ended a subagent, which is then its whole text."""
    said = (text or "")[:4_000].lstrip()
    return said if said.startswith("API Error") else ""
