"""Format an event in a few words: its agent, the subject of its payload, its slowest stage."""

import json
import re
from collections.abc import Mapping
from typing import Any, TypeGuard

_CALL_FIELDS = (
    "command",
    "file_path",
    "notebook_path",
    "pattern",
    "url",
    "query",
    "skill",
    "description",
    "subject",
    "prompt",
    "path",
)
_EVENT_FIELDS = (
    "prompt",
    "command_name",
    "message",
    "source",
    "trigger",
    "reason",
    "error",
    "agent_type",
    "task_subject",
    "file_path",
    "last_assistant_message",
    "why",
)

_HUMP = re.compile("[A-Z]")


def who(event: Mapping[str, Any]) -> str:
    """Return the agent of an event, or its session's number, with the subagent's id."""
    number = event["sessionId"]
    name = event["agent"] or (f"session {number}" if number else "")
    return f"{name}/{event['agentId'][:8]}" if event["agentId"] else name


def about(event: Mapping[str, Any], limit: int = 60) -> str:
    """Return the subject of an event, on one line of at most `limit` characters."""
    line = " ".join(_subject(event["payload"]).split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def milliseconds(microseconds: float | None) -> str:
    """Return a duration in milliseconds, with one decimal below 100."""
    if microseconds is None:
        return "-"
    value = microseconds / 1_000
    return f"{value:.1f}" if value < 100 else f"{value:.0f}"


def slowest_stage(stages: Mapping[str, int]) -> str:
    """Return the stage of an event that took longest, with its milliseconds."""
    if not stages:
        return ""
    stage = max(stages, key=lambda name: stages[name])
    return f"{stage_name(stage)} {milliseconds(stages[stage])}"


def stage_name(stage: str) -> str:
    """Return the name of a stage as words: user hooks."""
    return _HUMP.sub(lambda hump: f" {hump[0].lower()}", stage).replace("_", " ")


def call_of(event: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the input of the event's tool call; empty if it has none."""
    payload = event["payload"]
    tool_input = payload.get("tool_input", payload.get("toolInput")) if _is_object(payload) else {}
    return tool_input if _is_object(tool_input) else {}


def _subject(payload: Any) -> str:
    tool_input = call_of({"payload": payload})
    if tool_input:
        named = _first(tool_input, _CALL_FIELDS)
        return named or _question(tool_input) or json.dumps(tool_input)
    return _first(payload, _EVENT_FIELDS) if _is_object(payload) else ""


def _first(fields: Mapping[str, Any], names: tuple[str, ...]) -> str:
    texts = (fields.get(name) for name in names)
    return next((text for text in texts if isinstance(text, str) and text.strip()), "")


def _question(tool_input: Mapping[str, Any]) -> str:
    questions = tool_input.get("questions")
    first = questions[0] if isinstance(questions, list) and questions else None
    return _first(first, ("question",)) if _is_object(first) else ""


def _is_object(value: Any) -> TypeGuard[Mapping[str, Any]]:
    return isinstance(value, dict)
