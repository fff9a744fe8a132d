"""Calls of the MCP server to the daemon: who the caller is, then the tool's method."""

import json
import re
from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from hookd.cli.lib.client import Refused, call, call_once, identity
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.repository import repository_root
from hookd.cli.mcp.tools import BY_NAME, INBOX, TOOLS, Tool
from hookd.core.sessions.own_tools import input_digest
from hookd.lazy_dataclass import dataclass

Json = dict[str, Any]

CONTEXT = "hookd://session/context"
WORK = "hookd://work"
RESOURCES = {
    CONTEXT: ("session context", "Your session: its effort, phase, counts and work items."),
    WORK: ("work items", "The unfinished work items of this project."),
}
"""Resources by their address: name and description."""

_COMMAND = re.compile(r"hookd (\w+)(?: (\w+))?(?: --all)?")

_MAX_CHARS = 40_000
"""Characters of a result; a model's window is not filled by a list."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The text of a result; `failed` has what is wrong and the next step instead."""

    text: str
    failed: bool = False


def offered() -> tuple[Tool, ...]:
    """Return the tools whose methods this hookd has."""
    from hookd.methods import METHODS  # noqa: PLC0415 - it imports pydantic

    return tuple(tool for tool in TOOLS if tool.method in METHODS)


def run_tool(name: str, arguments: Json) -> Answer:
    """Call a tool's method as its caller; return its result as JSON, or why it failed."""
    tool = BY_NAME.get(name)
    if tool is None:
        return Answer(f"There is no tool {name}.", failed=True)
    unknown = sorted(arguments.keys() - tool.fields.keys())
    missing = [one for one in tool.required if one not in arguments]
    if unknown or missing:
        words = [
            *(f"{one} is missing" for one in missing),
            *(f"{one} is unknown" for one in unknown),
        ]
        return Answer(f"The input of {name} is wrong: {'; '.join(words)}.", failed=True)
    try:
        env = _caller_env(tool, arguments)
        params = {**tool.params(arguments), "env": env}
        if tool.here == "repository":
            params[tool.here] = repository_root(env)
        elif tool.here:
            params[tool.here] = env.get("CLAUDE_PROJECT_DIR") or env["CWD"]
        if "key" in tool.fields:
            return Answer(_text(call_once(tool.method, {"key": uuid4().hex, **params})))
        result = call(tool.method, params)
        if tool.method == INBOX and "id" in arguments and not result["mail"]:
            raise Problem(f"There is no mail {arguments['id']} of yours.", "inbox with every: true")
        if tool.method == INBOX:
            _count_as_read(result["mail"], env)
        return Answer(_text(tool.shown(result)))
    except Problem as problem:
        return _failure(problem)


def read_resource(uri: str) -> Answer:
    """Return a resource as JSON. It has no tool call, so the caller is the client's session."""
    try:
        env, session_id = identity(), _caller("read", {}).get("sessionId")
        if uri == WORK:
            root = repository_root(env)
            items = call("work.list", {"repository": root, "limit": 200, "env": env})["items"]
            return Answer(_text([one for one in items if one["state"] != "done"]))
        if uri != CONTEXT:
            return Answer(f"There is no resource {uri}.", failed=True)
        if session_id is None:
            why = "hookd has no open session of this client yet"
            return Answer(_text({"session": None, "why": why, "workItems": []}))
        (session,) = call("session.list", {"id": session_id, "limit": 1})["sessions"]
        taken = call("work.list", {"state": "taken", "limit": 1_000})["items"]
        mine = [one for one in taken if one["conversation"] == session["claudeSessionId"]]
        return Answer(_text({"session": session, "workItems": mine}))
    except Problem as problem:
        return _failure(problem)


def _caller_env(tool: Tool, arguments: Json) -> dict[str, str]:
    """Return the identity of who calls a tool. Raise Problem if it must be verified and is not."""
    env, who = identity(), _caller(tool.name, arguments)
    if tool.verified and not who["verified"]:
        raise Problem(
            f"hookd saw no hook event of this call of {tool.name}, so its session is unknown.",
            "call it again, and have the user allow hookd's tools, so that no question delays them",
        )
    if who["conversation"]:
        env["CLAUDE_CODE_SESSION_ID"] = who["conversation"]
    if who["agent"]:
        env["AGENT_ID"] = who["agent"]
    return env


def _caller(tool: str, arguments: Json) -> Json:
    found: Json = call("mcp.caller", {"tool": tool, "digest": input_digest(arguments)})
    return found


def _count_as_read(mails: list[Json], env: Mapping[str, str]) -> None:
    """Count mail as delivered: the model gets it with this answer, so no event brings it again."""
    ids = [one["id"] for one in mails if one["state"] in ("waiting", "offered")]
    if ids:
        call("mail.read", {"ids": ids, "env": env})


def _text(result: Any) -> str:
    text = json.dumps(result, ensure_ascii=False, indent=1)
    if len(text) <= _MAX_CHARS:
        return text
    return f"{text[:_MAX_CHARS]}\n... {len(text) - _MAX_CHARS} characters more; use a smaller limit"


def _step_by_tools(step: str) -> str:
    """Return a next step with tools in place of the commands that have one.

    >>> _step_by_tools("hookd work list, which shows the owners")
    'the tool work_list, which shows the owners'
    """
    if step.endswith(" --help"):
        return "correct the input: the schema of the tool describes it"
    return _COMMAND.sub(_tool_of, step)


def _tool_of(command: re.Match[str]) -> str:
    name = "_".join(filter(None, command.groups()))
    return f"the tool {name}" if name in BY_NAME else command[0]


def _failure(problem: Problem) -> Answer:
    code = f" ({problem.code})" if isinstance(problem, Refused) else ""
    step = f"\nnext: {_step_by_tools(problem.step)}" if problem.step else ""
    return Answer(f"{problem.message}{code}{step}", failed=True)
