"""Tool table: the tools of a client by the names that `events/` has for them and their inputs.

A path of a tool's input becomes absolute, resolved as the client does it. The working folder of a
shell command becomes a `cd` in front of the command, so that guards see where it runs.
"""

import posixpath
import shlex
from collections.abc import Mapping
from dataclasses import field
from typing import Any

from hookd.clients.contract import Json
from hookd.events.model import HookInput
from hookd.lazy_dataclass import dataclass

_PATHS = ("file_path", "notebook_path", "path")
_COMMANDS = frozenset({"ApplyPatch", "Bash", "PowerShell"})


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool's name in `events/`, and its inputs there by the client's names of them.

    `folder` is the input with the folder that a shell command runs in, "" if it has none. `always`
    are inputs of `events/` that the client's tool does not have, and what it always does. `older`
    are inputs by their names in older versions of the client.
    """

    name: str
    inputs: Mapping[str, str] = field(default_factory=dict)
    folder: str = ""
    always: Mapping[str, Any] = field(default_factory=dict)
    older: Mapping[str, str] = field(default_factory=dict)


_UNNAMED = Tool("")
"""A tool that the client's table lacks: its inputs have the same names everywhere."""


def in_events(tool: Tool, given: Mapping[str, Any], cwd: object) -> Json:
    """Return a tool's input in the names of `events/`; inputs that the table lacks stay.

    Of two inputs for the same, the one with the client's name counts: it ignores the other, which a
    model may add, so that a guard would judge another file than is written.
    """
    given = _with_older(tool, given)
    own = {internal: given[name] for name, internal in tool.inputs.items() if name in given}
    renamed = {key: value for key, value in given.items() if key not in tool.inputs}
    renamed |= own | dict(tool.always)
    folder = renamed.pop(tool.folder, None) if tool.folder else None
    for key in _PATHS:
        if key in renamed:
            renamed[key] = absolute(renamed[key], cwd)
    command = renamed.get("command")
    if isinstance(folder, str) and folder and isinstance(command, str):
        place = absolute(folder, cwd)
        if place != cwd:
            renamed["command"] = f"cd {shlex.quote(place)}\n{command}"
    elif folder is not None:
        renamed[tool.folder] = folder
    return renamed


def _with_older(tool: Tool, given: Mapping[str, Any]) -> Json:
    """Return a tool's input with the inputs of older versions by their names of today, too.

    If a call has both, and not the same in them, it depends on the version which one counts. Then
    it has neither, nor a command, and guards ask.
    """
    found = dict(given)
    for name, today in tool.older.items():
        if name in given and given.get(today, given[name]) != given[name]:
            found = {key: one for key, one in found.items() if key not in (today, "command")}
        elif name in given:
            found[today] = given[name]
    return found


def in_client(tool: Tool, given: Mapping[str, Any]) -> Json:
    """Return a tool's input in the client's names, the opposite of `in_events`.

    A `cd` that was put in front of a command stays: it has the same effect as the client's input.
    """
    own = {internal: name for name, internal in tool.inputs.items()}
    named = {own.get(key, key): value for key, value in given.items() if key not in tool.always}
    older = {
        name: named[today] for name, today in tool.older.items() if name in named and today in named
    }
    return named | older


def input_in_client(
    event: HookInput, changed: Mapping[str, Any], tools: Mapping[str, Tool]
) -> Json:
    """Return another input of an event's tool in the client's names."""
    return in_client(tools.get(event.client_tool, _UNNAMED), changed)


def absolute(path: Any, cwd: object) -> Any:
    """Return a relative path as an absolute one; another value, and `~/x`, stay as they are.

    >>> absolute("../a.txt", "/work/orders")
    '/work/a.txt'
    """
    if not isinstance(path, str) or not isinstance(cwd, str) or not path:
        return path
    if path.startswith(("/", "~")) or not cwd.startswith("/"):
        return path
    return posixpath.normpath(posixpath.join(cwd, path))


def renamed_call(fields: Mapping[str, Any], tools: Mapping[str, Tool]) -> Json:
    """Return the fields of a call that have other values in `events/`: its tool and its input."""
    own = fields.get("tool_name")
    if not isinstance(own, str):
        return {}
    tool = tools.get(own)
    named: Json = {} if tool is None else {"tool_name": tool.name, "client_tool": own}
    if "tool_input" not in fields:
        return named
    given = input_object(tool.name if tool else own, fields["tool_input"])
    if tool is not None:
        return named | {"tool_input": in_events(tool, given, fields.get("cwd"))}
    return {} if given is fields["tool_input"] else {"tool_input": given}


_MAX_NAMES = 32
"""Maximum names that a tool of an MCP server is judged by."""


def mcp_call(own: str, flat: str, between: str, *, by_last: bool = False) -> Json:
    """Return the names in `events/` of an MCP server's tool whose name does not tell the server's.

    `flat` is server and tool, with `between` between them, which both may contain. The likely name
    ends the server at the first place, `by_last` at the last one; the others are further readings.
    Empty if there is no such place. `own` is the client's name.

    >>> mcp_call("a_b_c", "a_b_c", "_")["tool_readings"]
    ['mcp__a_b__c']
    """
    places = [at for at in range(1, len(flat) - 1) if flat[at] == between]
    names = [f"mcp__{flat[:at]}__{flat[at + 1 :]}" for at in places[:: -1 if by_last else 1]]
    if not names:
        return {}
    readings = {"tool_readings": names[1:_MAX_NAMES]} if len(names) > 1 else {}
    return {"tool_name": names[0], "client_tool": own, **readings}


def input_object(tool: str, given: Any) -> Json:
    """Return a tool's input as an object: a text alone is its command or its patch.

    An input that is no object would not be judged, so it is the `input` of any other tool.

    >>> input_object("ApplyPatch", "*** Begin Patch")
    {'command': '*** Begin Patch'}
    """
    if isinstance(given, dict):
        return given
    key = "command" if tool in _COMMANDS else "input"
    return {} if given is None else {key: given}
