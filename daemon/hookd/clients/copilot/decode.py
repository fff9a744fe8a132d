"""Decoding of Copilot CLI's payloads, in both of its spellings.

An event that is registered in camelCase has `sessionId`, `toolName`, `toolArgs` and no event name;
one in PascalCase has `hook_event_name`, Claude Code's names of tools, and still Copilot CLI's names
of their inputs. A permission request has the first form in any case. Source: payloads of Copilot
CLI 1.0.102.
"""

from collections.abc import Mapping
from typing import Any

from hookd import json_text
from hookd.clients.contract import Json
from hookd.clients.copilot.registration import NAMES
from hookd.clients.tool_table import Tool, mcp_call, renamed_call
from hookd.events.model import transform_keys
from hookd.lazy_pattern import lazy_compile

_EDITOR = "str_replace_editor"
"""A tool of older versions whose `command` selects one of its tools."""

_OF_EDITOR = frozenset({"create", "edit", "insert", "str_replace", "view"})
_TYPING = frozenset({"write_bash", "write_powershell"})
_KEY = lazy_compile(r"\{(?:up|down|left|right|backspace)\}")

_FILE = {"path": "file_path"}
_EDIT = {**_FILE, "old_str": "old_string", "new_str": "new_string"}
_WRITE = {**_FILE, "file_text": "content"}

TOOLS: Mapping[str, Tool] = {
    "bash": Tool("Bash"),
    "write_bash": Tool("Bash", {"input": "command"}),
    "powershell": Tool("PowerShell"),
    "write_powershell": Tool("PowerShell", {"input": "command"}),
    "create": Tool("Write", _WRITE),
    "edit": Tool("Edit", _EDIT),
    "str_replace": Tool("Edit", _EDIT),
    "insert": Tool("Edit", _EDIT),
    _EDITOR: Tool("Edit", {**_EDIT, **_WRITE}),
    "view": Tool("Read", _FILE),
    "apply_patch": Tool("ApplyPatch", {"input": "command"}),
    "grep": Tool("Grep"),
    "rg": Tool("Grep"),
    "glob": Tool("Glob"),
    "task": Tool("Agent", {"agent_type": "subagent_type"}),
    "skill": Tool("Skill"),
    "web_fetch": Tool("WebFetch"),
    "web_search": Tool("WebSearch"),
    # Claude Code's names, in the payloads of PascalCase.
    "Write": Tool("Write", _WRITE),
    "Edit": Tool("Edit", _EDIT),
    "Read": Tool("Read", _FILE),
    "Agent": Tool("Agent", {"agent_type": "subagent_type"}),
    "Task": Tool("Agent", {"agent_type": "subagent_type"}),
}
"""Copilot CLI's tools. Text for a running shell is a command."""

_OURS = {theirs: ours for ours, theirs in NAMES.items()}
_SOURCES = {"new": "startup"}


def normalize(payload: Mapping[str, Any], registered: str) -> Json:
    """Return the payload in the names of `events/`; without a name, the event is the link's.

    `client_event` is the name in camelCase if the payload has that form.
    """
    fields: Json = dict(transform_keys(dict(payload)))
    own = fields.get("hook_event_name") or fields.pop("hook_name", None)
    name = _OURS.get(own, own) if isinstance(own, str) else registered
    fields["hook_event_name"] = name
    if "sessionId" in payload:
        fields["client_event"] = NAMES.get(name, name)
    if name == "SessionStart" and isinstance(fields.get("source"), str):
        fields["source"] = _SOURCES.get(fields["source"], fields["source"])
    if name == "StopFailure" and not isinstance(fields.get("error"), str):
        fields["error_details"] = fields.pop("error", None)
    if "agent_name" in fields:
        fields.setdefault("agent_type", fields["agent_name"])
    if "tool_name" in fields:
        fields |= _call(fields)
    return fields


def version(variables: Mapping[str, object]) -> str | None:
    """Return the client's version by the variable that it sets for its hooks."""
    value = variables.get("COPILOT_CLI_BINARY_VERSION")
    return value if isinstance(value, str) and value else None


def _call(fields: Json) -> Json:
    """Return the fields of a tool call; its result is a text, its error a sentence."""
    own = fields["tool_name"]
    given = _parsed(own, fields.get("tool_input", fields.get("tool_args")))
    tool = _selected(own, given)
    call: Json = {"tool_name": tool, "tool_input": given, "cwd": fields.get("cwd")}
    call |= renamed_call(call, TOOLS)
    if isinstance(own, str) and own not in TOOLS:  # its own tools have no hyphen
        call |= mcp_call(own, own, "-", by_last=True)
    if isinstance(own, str) and own in _TYPING:
        call |= {"tool_input": _typed(call["tool_input"]), "typed_text": True}
    if "client_tool" in call or tool != own:
        call["client_tool"] = own
    if call["tool_name"] == "Edit" and isinstance(given, dict) and "diff" in given:
        call["tool_input"] = {"old_string": "", "new_string": given["diff"]} | call["tool_input"]
    if "tool_result" in fields:
        call["tool_response"] = _text(fields["tool_result"])
    error = fields.get("error")
    if isinstance(error, dict):
        call["error"] = str(error.get("message", error))
    return call


def _selected(own: Any, given: Any) -> Any:
    """Return the tool that a call runs: the editor's `command` selects another one."""
    command = given.get("command") if own == _EDITOR and isinstance(given, dict) else None
    if isinstance(command, str) and command in _OF_EDITOR:
        return command
    return own


def _typed(given: Json) -> Json:
    """Return the input of a tool that types into a running shell, as the command that results.

    Keys alone repeat or choose something. Together with text they change it, so that the command is
    unknown.
    """
    text = given.get("command", "")
    if not isinstance(text, str):
        return given
    lines = text.replace("{enter}", "\n")
    rest = _KEY.sub("", lines)
    if rest == lines or not rest.strip():
        return given | {"command": rest}
    return {key: one for key, one in given.items() if key != "command"} | {"input": text}


def _parsed(tool: Any, given: Any) -> Any:
    """Return an input as an object: it may be its JSON text, or the patch itself."""
    if not isinstance(given, str):
        return given
    try:
        found = json_text.parse(given.encode("utf-8", "replace"))
    except (ValueError, RecursionError):
        found = None
    if isinstance(found, dict):
        return found
    return {"command": given} if tool == "apply_patch" else given


def _text(result: Any) -> Any:
    if isinstance(result, dict):
        for key in ("text_result_for_llm", "textResultForLlm"):
            if isinstance(result.get(key), str):
                return result[key]
    return result
