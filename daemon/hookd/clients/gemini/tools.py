"""Tools of Gemini CLI: their names and inputs, and those of `events/`.

Source: the tools of Gemini CLI 0.61.0; `search_file_content`, `absolute_path`, `directory` and the
`path` of a file are older names.
"""

import re
from collections.abc import Mapping
from typing import Any

from hookd.clients.contract import Json
from hookd.clients.tool_table import Tool, input_in_client, mcp_call, renamed_call
from hookd.events.model import HookInput
from hookd.lazy_pattern import lazy_compile

_FOLDER = {"dir_path": "path"}
_OLD_FILE = {"absolute_path": "file_path"}
_SHOWS = {"output_mode": "content"}

TOOLS: Mapping[str, Tool] = {
    "run_shell_command": Tool(
        "Bash",
        {"is_background": "run_in_background"},
        folder="dir_path",
        older={"directory": "dir_path"},
    ),
    "write_file": Tool("Write", older=_OLD_FILE),
    "replace": Tool("Edit", {"allow_multiple": "replace_all"}, older=_OLD_FILE),
    "read_file": Tool("Read", older={"path": "file_path", **_OLD_FILE}),
    "read_many_files": Tool("Grep", always=_SHOWS),
    "list_directory": Tool("LS", _FOLDER),
    "glob": Tool("Glob", _FOLDER),
    "grep_search": Tool("Grep", {**_FOLDER, "include_pattern": "glob"}, always=_SHOWS),
    "search_file_content": Tool("Grep", {**_FOLDER, "include": "glob"}, always=_SHOWS),
    "web_fetch": Tool("WebFetch"),
    "google_web_search": Tool("WebSearch"),
    "write_todos": Tool("TodoWrite"),
    "invoke_agent": Tool("Agent", {"agent_name": "subagent_type"}),
    "activate_skill": Tool("Skill", {"name": "skill"}),
    "ask_user": Tool("AskUserQuestion"),
    "enter_plan_mode": Tool("EnterPlanMode"),
    "exit_plan_mode": Tool("ExitPlanMode"),
    "read_mcp_resource": Tool("ReadMcpResourceTool"),
    "list_mcp_resources": Tool("ListMcpResourcesTool"),
}
"""Gemini CLI's tools by its own names; a tool that is not among them keeps its name."""

_MCP = "mcp_"
_URL = lazy_compile(r"https?://[^\s<>\"'`]*[^\s<>\"'`.,;:!?)\]]", re.IGNORECASE)


def call_in_events(fields: Mapping[str, Any]) -> Json:
    """Return the fields of a call that have other values in `events/`."""
    named = renamed_call(fields, TOOLS)
    own, given = named.get("client_tool"), named.get("tool_input")
    if own is None:
        return named | _mcp_call(fields)
    if isinstance(given, dict):
        rest = {key: one for key, one in given.items() if key not in _DERIVED.get(own, ())}
        named["tool_input"] = rest | _derived(own, given)
    return named


def input_of_call(event: HookInput, changed: Mapping[str, Any]) -> Json:
    """Return another input of an event's tool in Gemini CLI's names."""
    derived = _DERIVED.get(event.client_tool, ())
    kept = {key: value for key, value in changed.items() if key not in derived}
    return input_in_client(event, kept, TOOLS)


def _mcp_call(fields: Mapping[str, Any]) -> Json:
    """Return the name of an MCP server's tool: by `mcp_context`, else by the client's name of it.

    That name is cut if it is long.
    """
    own, context = fields.get("tool_name"), fields.get("mcp_context")
    if not isinstance(own, str):
        return {}
    known = context if isinstance(context, dict) else {}
    server, tool = known.get("server_name"), known.get("tool_name")
    if isinstance(server, str) and isinstance(tool, str) and server and tool:
        return {"tool_name": f"mcp__{server}__{tool}", "client_tool": own}
    if not own.startswith(_MCP) or own.startswith("mcp__"):
        return {}
    return mcp_call(own, own.removeprefix(_MCP), "_")


_DERIVED = {"read_many_files": ("glob",), "web_fetch": ("url", "urls")}
"""Inputs in `events/` that are made from others, by Gemini CLI's tool."""


def _derived(own: str, given: Mapping[str, Any]) -> Json:
    """Return the inputs in `events/` that Gemini CLI has in another form."""
    if own == "web_fetch":
        named = [url for url in (given.get("url"),) if isinstance(url, str) and url]
        prompt = given.get("prompt")
        told = _URL.findall(prompt) if isinstance(prompt, str) else []
        found = list(dict.fromkeys([*named, *told]))
        several = {"urls": found} if len(found) > 1 else {}
        return {"url": found[0], **several} if found else {}
    if own == "read_many_files":
        return {"glob": glob} if (glob := _files(given)) else {}
    if own == "write_todos":
        return {"todos": _todos(given["todos"])} if isinstance(given.get("todos"), list) else {}
    return {}


def _files(given: Mapping[str, Any]) -> str:
    """Return the globs of the files that are read, in one text."""
    named = [given[key] for key in ("include", "paths") if key in given]
    several = [one for value in named for one in (value if isinstance(value, list) else [value])]
    return ",".join(one for one in several if isinstance(one, str))


def _todos(items: list[Any]) -> list[Any]:
    return [
        {**item, "content": item["description"]}
        if isinstance(item, dict) and "description" in item
        else item
        for item in items
    ]
