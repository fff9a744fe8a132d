"""Subject of an event: what its payload is about, as one short line.

It is the command, file or question of a tool call, the files of a patch, and the prompt or reason
of other events.
"""

import json
from collections.abc import Mapping
from typing import Any, TypeGuard

from hookd.events.call_parts import APPLY_PATCH, patched_names

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


def subject_line(payload: Any, limit: int) -> str:
    """Return the subject of an event's payload, on one line of at most `limit` characters."""
    line = " ".join(_subject(payload).split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def payload_line(payload: str, limit: int) -> str:
    """Return the subject of a payload's JSON text, as `subject_line`; empty if it is no JSON."""
    try:
        return subject_line(json.loads(payload), limit)
    except ValueError:  # edited manually
        return ""


def tool_input(payload: Any) -> Mapping[str, Any]:
    """Return the input of the tool call in a payload; empty if it has none."""
    found = payload.get("tool_input", payload.get("toolInput")) if _is_object(payload) else {}
    return found if _is_object(found) else {}


def _subject(payload: Any) -> str:
    call = tool_input(payload)
    if call and _tool(payload) == APPLY_PATCH:
        return ", ".join(patched_names(call)) or "a patch that cannot be read"
    if call:
        named = _first(call, _CALL_FIELDS)
        return named or _question(call) or json.dumps(call)
    return _first(payload, _EVENT_FIELDS) if _is_object(payload) else ""


def _tool(payload: Any) -> Any:
    return payload.get("tool_name", payload.get("toolName"))


def _first(fields: Mapping[str, Any], names: tuple[str, ...]) -> str:
    texts = (fields.get(name) for name in names)
    return next((text for text in texts if isinstance(text, str) and text.strip()), "")


def _question(call: Mapping[str, Any]) -> str:
    questions = call.get("questions")
    first = questions[0] if isinstance(questions, list) and questions else None
    return _first(first, ("question",)) if _is_object(first) else ""


def _is_object(value: Any) -> TypeGuard[Mapping[str, Any]]:
    return isinstance(value, dict)
