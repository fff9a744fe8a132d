"""Decoding of the events that hookd's plugin for opencode sends.

A payload has `hook`, opencode's name of the event, `sessionID`, `directory`, and the `input` and
`output` of the plugin's function, or the properties of an event as `input`. `parentID` and `agent`
are those of a subagent's session, `usage` and `limit` the tokens of the last answer and of the
window. Source: payloads of opencode 1.18.33.
"""

from collections.abc import Callable, Mapping
from typing import Any

from hookd.clients.contract import Json
from hookd.clients.tool_table import Tool, in_client, input_in_client, mcp_call, renamed_call
from hookd.events.call_parts import BATCH
from hookd.events.model import HookInput
from hookd.json_text import as_object

_FILE = {"filePath": "file_path"}
_EDIT = {**_FILE, "oldString": "old_string", "newString": "new_string", "replaceAll": "replace_all"}

TOOLS: Mapping[str, Tool] = {
    "bash": Tool("Bash", folder="workdir"),
    "read": Tool("Read", _FILE),
    "write": Tool("Write", _FILE),
    "edit": Tool("Edit", _EDIT),
    "multiedit": Tool("MultiEdit", _FILE),
    "apply_patch": Tool("ApplyPatch", {"patchText": "command"}),
    "patch": Tool("ApplyPatch", {"patchText": "command"}),
    "glob": Tool("Glob"),
    "grep": Tool("Grep", {"include": "glob"}, always={"output_mode": "content"}),
    "list": Tool("LS"),
    "task": Tool("Agent"),
    "skill": Tool("Skill", {"name": "skill"}),
    "webfetch": Tool("WebFetch"),
    "websearch": Tool("WebSearch"),
    "todowrite": Tool("TodoWrite"),
    "todoread": Tool("TodoRead"),
    "list_mcp_resources": Tool("ListMcpResourcesTool"),
    "list_mcp_resource_templates": Tool("ListMcpResourcesTool"),
    "read_mcp_resource": Tool("ReadMcpResourceTool"),
}
"""opencode's tools."""

_OWN = frozenset({"plan_enter", "plan_exit", "external_directory", "doom_loop"})
"""opencode's other tools and permissions with an underscore, as tools of MCP servers have."""

_BATCH = "batch"
"""A tool whose `tool_calls` are calls; opencode tells a plugin nothing of each."""

_EVENTS = {
    "session.created": "SessionStart",
    "chat.message": "UserPromptSubmit",
    "tool.execute.before": "PreToolUse",
    "tool.execute.after": "PostToolUse",
    "permission.asked": "PermissionRequest",
    "permission.replied": "PermissionDenied",
    "session.idle": "Stop",
    "session.error": "StopFailure",
    "experimental.session.compacting": "PreCompact",
    "session.compacted": "PostCompact",
    "dispose": "SessionEnd",
}
_IN_SUBAGENT = {"SessionStart": "SubagentStart", "Stop": "SubagentStop"}
_USED = ("input", "output", "reasoning")


def normalize(payload: Mapping[str, Any], registered: str) -> Json:
    """Return the payload in the names of `events/`; a subagent's session is its parent's.

    Without a known `hook`, the event is the link's.
    """
    hook, given, output = (payload.get(key) for key in ("hook", "input", "output"))
    name = _EVENTS.get(hook, registered) if isinstance(hook, str) else registered
    session, parent = payload.get("sessionID"), payload.get("parentID")
    fields: Json = {key: payload[key] for key in payload if key not in _READ}
    fields |= {"session_id": parent or session or "", "cwd": payload.get("directory")}
    if parent:
        name = _IN_SUBAGENT.get(name, name)
        fields |= {"agent_id": session, "agent_type": payload.get("agent") or "general"}
        if name == "UserPromptSubmit":
            fields["source"] = "agent"
    fields["hook_event_name"] = name
    if isinstance(hook, str) and hook != name:
        fields["client_event"] = hook
    read = _FIELDS.get(name)
    own = read(as_object(given), as_object(output)) if read else {}
    if name in ("Stop", "SubagentStop"):
        own = _usage(payload) | _answer(as_object(given))
    fields |= own
    return fields | _call(fields)


def version(variables: Mapping[str, object]) -> str | None:
    """Return None: a plugin's environment does not contain it."""
    return None


_READ = frozenset(
    {
        *("hook", "input", "output", "sessionID", "parentID", "agent", "directory"),
        *("usage", "limit"),
    }
)
"""Keys of a payload that are fields of the event under other names."""


def _started(given: Json, _output: Json) -> Json:
    info = as_object(given.get("info"))
    fields = {"source": "startup", "title": info.get("title"), "version": info.get("version")}
    return {key: value for key, value in fields.items() if value is not None}


def _prompt(given: Json, output: Json) -> Json:
    """Return a prompt: its texts, but not those that opencode adds for files, and its model."""
    parts = output.get("parts")
    texts = [
        part["text"]
        for part in (parts if isinstance(parts, list) else ())
        if isinstance(part, dict)
        and isinstance(part.get("text"), str)
        and not part.get("synthetic")
    ]
    message = as_object(output.get("message"))
    fields = {"prompt": "\n".join(texts), "prompt_id": given.get("messageID") or message.get("id")}
    return fields | {"model": as_object(message.get("model")).get("modelID")}


def _before(given: Json, output: Json) -> Json:
    return _tool(given, output.get("args"))


def _after(given: Json, output: Json) -> Json:
    """Return a call's result: its text, and the exit code of a command."""
    response: Json = {"content": output.get("output")}
    code = as_object(output.get("metadata")).get("exit")
    if isinstance(code, int):
        response["exit_code"] = code
    return _tool(given, given.get("args")) | {"tool_response": response}


def _tool(given: Json, args: Any) -> Json:
    fields = {"tool_name": given.get("tool"), "tool_input": args}
    return fields | {"tool_use_id": given.get("callID")}


def _asked(given: Json, _output: Json) -> Json:
    """Return a permission request: `metadata` has the arguments that it is about."""
    call = {"tool_name": given.get("permission"), "tool_input": as_object(given.get("metadata"))}
    number = as_object(given.get("tool")).get("callID")
    return call | {"tool_use_id": number, "patterns": given.get("patterns")}


def _refused(given: Json, output: Json) -> Json:
    return _asked(given, output) | {"reason": "the user has rejected it"}


def _failed(given: Json, _output: Json) -> Json:
    error = as_object(given.get("error"))
    return {"error": str(error.get("name", "unknown")), "error_details": error.get("data")}


def _answer(given: Json) -> Json:
    """Return what the model has said since the last end of a turn."""
    text = given.get("text")
    return {"last_assistant_message": text} if isinstance(text, str) and text else {}


def _usage(payload: Mapping[str, Any]) -> Json:
    """Return the tokens in the window by the last answer of the model."""
    usage = as_object(payload.get("usage"))
    cache = as_object(usage.get("cache"))
    counts = [*map(usage.get, _USED), cache.get("read"), cache.get("write")]
    used = sum(count for count in counts if isinstance(count, int))
    limit = payload.get("limit")
    return ({"context_tokens": used} if used else {}) | ({"context_window": limit} if limit else {})


def _call(fields: Json) -> Json:
    """Return the fields of a call that have other values in `events/`."""
    own = fields.get("tool_name")
    if not isinstance(own, str):
        return {}
    if own == _BATCH:
        given = as_object(fields.get("tool_input"))
        calls = given.get("tool_calls")
        inner = (
            [_inner(one, fields.get("cwd")) for one in calls] if isinstance(calls, list) else calls
        )
        rest = {key: one for key, one in given.items() if key != "tool_calls"}
        return {"tool_name": BATCH, "client_tool": own, "tool_input": rest | {"calls": inner}}
    of_server = own not in TOOLS and own not in _OWN
    named = mcp_call(own, own, "_") if of_server else {}
    return named | renamed_call(fields, TOOLS)


def _inner(call: Any, cwd: object) -> Any:
    """Return a call of a batch in the names of `events/`; `parameters` are its arguments."""
    if not isinstance(call, dict) or call.get("tool") == _BATCH:
        return call
    named = {key: one for key, one in call.items() if key not in ("tool", "parameters")}
    made = {"tool_name": call.get("tool"), "tool_input": call.get("parameters"), "cwd": cwd}
    made = named | made | _call(made)
    return {key: one for key, one in made.items() if key != "cwd"}


def arguments(event: HookInput, changed: Mapping[str, Any]) -> Json:
    """Return another input of an event's tool as opencode's arguments."""
    calls = changed.get("calls")
    if event.client_tool != _BATCH or not isinstance(calls, list):
        return input_in_client(event, changed, TOOLS)
    rest = {key: one for key, one in changed.items() if key != "calls"}
    return rest | {"tool_calls": [_inner_in_client(one) for one in calls]}


def _inner_in_client(call: Any) -> Any:
    if not isinstance(call, dict) or "tool_name" not in call:
        return call
    own = str(call.get("client_tool", call["tool_name"]))
    given = in_client(TOOLS[own], call["tool_input"]) if own in TOOLS else call["tool_input"]
    rest = {key: one for key, one in call.items() if key not in _OF_INNER}
    return rest | {"tool": own, "parameters": given}


_OF_INNER = frozenset({"tool_name", "tool_input", "client_tool", "tool_readings"})
"""Keys of a call of a batch that are opencode's `tool` and `parameters`."""

_FIELDS: Mapping[str, Callable[[Json, Json], Json]] = {
    "SessionStart": _started,
    "SubagentStart": _started,
    "UserPromptSubmit": _prompt,
    "PreToolUse": _before,
    "PostToolUse": _after,
    "PermissionRequest": _asked,
    "PermissionDenied": _refused,
    "StopFailure": _failed,
}
