"""The home of how an event is told in a few words: who it came from, and what it was about."""

import json
from collections.abc import Mapping
from typing import Any, TypeGuard

_OF_A_CALL = (
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
_OF_AN_EVENT = (
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


def who(event: Mapping[str, Any]) -> str:
    """Return whose event it was: the agent or the session's number, and the subagent's id."""
    number = event["sessionId"]
    name = event["agent"] or (f"session {number}" if number else "")
    return f"{name}/{event['agentId'][:8]}" if event["agentId"] else name


def about(event: Mapping[str, Any], most: int = 60) -> str:
    """Return what an event was about, on one line of at most `most` characters."""
    line = " ".join(_told(event["payload"]).split())
    return line if len(line) <= most else line[: most - 1] + "…"


def call_of(event: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the input of the tool's call; empty where the event is of none."""
    payload = event["payload"]
    given = payload.get("tool_input", payload.get("toolInput")) if _is_object(payload) else None
    return given if _is_object(given) else {}


def _told(payload: Any) -> str:
    given = call_of({"payload": payload})
    if given:
        return _first(given, _OF_A_CALL) or _question(given) or json.dumps(given)
    return _first(payload, _OF_AN_EVENT) if _is_object(payload) else ""


def _first(fields: Mapping[str, Any], names: tuple[str, ...]) -> str:
    texts = (fields.get(name) for name in names)
    return next((text for text in texts if isinstance(text, str) and text.strip()), "")


def _question(given: Mapping[str, Any]) -> str:
    questions = given.get("questions")
    first = questions[0] if isinstance(questions, list) and questions else None
    return _first(first, ("question",)) if _is_object(first) else ""


def _is_object(value: Any) -> TypeGuard[Mapping[str, Any]]:
    return isinstance(value, dict)
