"""Decoding of Gemini CLI's payloads: its events, tools and inputs in the names of `events/`.

A payload has no id of its call and none of its prompt. PreCompress comes before every request to
the model; only a person's `/compress` is a compaction. Source: the payloads of Gemini CLI 0.61.0.
"""

from collections.abc import Mapping
from typing import Any

from hookd.clients.claude_code import decode as claude_code
from hookd.clients.contract import Json
from hookd.clients.gemini.tools import call_in_events
from hookd.clients.tool_results import result_in_events

EVENTS: Mapping[str, str] = {
    "BeforeAgent": "UserPromptSubmit",
    "BeforeTool": "PreToolUse",
    "AfterTool": "PostToolUse",
    "AfterAgent": "Stop",
    "PreCompress": "PreCompact",
}
"""Gemini CLI's events that have another name in `events/`."""

_PERMISSION = "ToolPermission"


def normalize(payload: Mapping[str, Any], registered: str) -> Json:
    """Return the payload in the names of `events/`; without a name, the event is the link's."""
    fields: Json = dict(claude_code.normalize(payload, registered))
    own = fields["hook_event_name"]
    name = EVENTS.get(own, own)
    if own == "PreCompress" and fields.get("trigger") != "manual":
        name = own
    fields |= call_in_events(fields)
    if own == "AfterTool":
        fields |= _result(fields)
        name = "PostToolUseFailure" if "error" in fields else name
    elif own == "AfterAgent" and "prompt_response" in fields:
        fields["last_assistant_message"] = fields.pop("prompt_response")
    elif own == "Notification" and fields.get("notification_type") == _PERMISSION:
        fields["notification_type"] = "permission_prompt"
    fields["hook_event_name"] = name
    return fields if name == own else fields | {"client_event": own}


def version(variables: Mapping[str, object]) -> str | None:
    """Return None: Gemini CLI adds no variable with its version to a hook's environment."""
    return None


def _result(fields: Json) -> Json:
    """Return the fields of a result in the names of `events/`, with `error` if the call failed."""
    named, response = result_in_events(fields), fields.get("tool_response")
    error = response.get("error") if isinstance(response, dict) else None
    if not error:
        return named
    said = error.get("message") if isinstance(error, dict) else error
    return named | {"error": said if isinstance(said, str) else str(error)}
