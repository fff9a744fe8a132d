"""Decoding of Qwen Code's payloads: its tools, modes and todos in the names of `events/`.

Its events are Claude Code's, but UserPromptSubmit comes before every request to the model: without
a prompt it is a continuation of the turn. Source: the payloads of Qwen Code 0.24.4.
"""

from collections.abc import Mapping
from typing import Any

from hookd.clients.claude_code import decode as claude_code
from hookd.clients.contract import Json
from hookd.clients.qwen.tools import TOOLS
from hookd.clients.tool_results import result_in_events
from hookd.clients.tool_table import renamed_call

CONTINUATION = "PromptContinuation"
"""Name of the event before a request to the model that no prompt has caused."""

_EVENTS = {"TodoCreated": "TaskCreated", "TodoCompleted": "TaskCompleted"}
_AFTER_WRITING = "postWrite"
"""A todo is reported twice: before it is written, when it can be refused, and after."""

_TODO = {"todo_id": "task_id", "todo_content": "task_subject"}
_MODES = {"yolo": "bypassPermissions", "auto_edit": "acceptEdits"}


def normalize(payload: Mapping[str, Any], registered: str) -> Json:
    """Return the payload in the names of `events/`; without a name, the event is the link's."""
    fields: Json = dict(claude_code.normalize(payload, registered))
    own = fields["hook_event_name"]
    mode = fields.get("permission_mode")
    if isinstance(mode, str):
        fields["permission_mode"] = _MODES.get(mode, mode)
    fields |= renamed_call(fields, TOOLS)
    name = _renamed(own, fields)
    fields["hook_event_name"] = name
    return fields if name == own else fields | {"client_event": own}


def version(variables: Mapping[str, object]) -> str | None:
    """Return None: Qwen Code adds no variable with its version to a hook's environment."""
    return None


def _renamed(own: str, fields: Json) -> str:
    """Return the event's name in `events/`, and rename the fields of this event."""
    if own == "UserPromptSubmit":
        return own if _prompt(fields) else CONTINUATION
    if own in _EVENTS and fields.get("phase") != _AFTER_WRITING:
        fields |= {name: fields.pop(key) for key, name in _TODO.items() if key in fields}
        return _EVENTS[own]
    if own == "PostToolUse":
        fields |= result_in_events(fields)
        return "PostToolUseFailure" if "error" in fields else own
    if own == "PostToolBatch" and isinstance(fields.get("tool_calls"), list):
        fields["tool_calls"] = [_batched(one, fields.get("cwd")) for one in fields["tool_calls"]]
    elif own == "Stop":
        used, limit = fields.get("input_tokens"), fields.get("context_limit")
        fields |= {"context_tokens": used} if used is not None else {}
        fields |= {"context_window": limit} if limit is not None else {}
    return own


def _prompt(fields: Json) -> bool:
    """Return whether the event is a prompt; put what was submitted in the place of its text.

    The text for the model may have additions. One of another type makes the event malformed.
    """
    submitted, prompt = fields.get("submitted_prompt"), fields.get("prompt")
    if isinstance(submitted, str) and submitted:
        fields["prompt"] = submitted
        return True
    return "prompt" in fields and (not isinstance(prompt, str) or bool(prompt.strip()))


def _batched(call: Any, cwd: Any) -> Any:
    """Return a call of a batch in the names of `events/`."""
    if not isinstance(call, dict):
        return call
    return call | renamed_call({**call, "cwd": cwd}, TOOLS)
