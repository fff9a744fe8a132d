"""Decoding of Codex's payloads: its names of tools and of their inputs become those of `events/`.

The events have Claude Code's names already. Source: the payloads of Codex 0.169.0.
"""

import posixpath
import shlex
from collections.abc import Mapping
from typing import Any

from hookd.clients.claude_code import decode as claude_code
from hookd.clients.contract import Json
from hookd.clients.tool_table import Tool, in_events, input_object, renamed_call

_SHELL = Tool("Bash", {"cmd": "command"}, folder="workdir")

TOOLS: Mapping[str, Tool] = {
    "apply_patch": Tool("ApplyPatch"),
    "shell": _SHELL,
    "shell_command": _SHELL,
    "local_shell": _SHELL,
    "container.exec": _SHELL,
    "exec_command": _SHELL,
    "unified_exec": Tool("Bash", {"input": "command"}, folder="workdir"),
    "write_stdin": Tool("Bash", {"chars": "command"}),
    "spawn_agent": Tool("Agent", {"message": "prompt", "agent_type": "subagent_type"}),
    "view_image": Tool("Read", {"path": "file_path"}),
}
"""Codex's tools that have other names in `events/`; most of its shells are `Bash` in payloads."""

_BASH = Tool("Bash", folder="workdir")

_SCRIPTS = frozenset({"command", "cmd", "input"})
_SHELLS = frozenset({"bash", "zsh", "sh", "dash"})
_COMMAND_OPTIONS = frozenset({"-c", "-lc"})
_SHELL_WORDS = 3
"""Words of a command that a shell runs: the shell, its option, the script."""


def normalize(payload: Mapping[str, Any], registered: str) -> Json:
    """Return the payload in the names of `events/`; without a name, the event is the link's.

    A prompt inside of a subagent is the message of the agent that started it, so its author is not
    the user.
    """
    fields: Json = dict(claude_code.normalize(payload, registered))
    if "turn_id" in fields:
        fields.setdefault("prompt_id", fields["turn_id"])
    if fields["hook_event_name"] == "UserPromptSubmit" and fields.get("agent_id"):
        fields.setdefault("source", "agent")
    return fields | _call(fields)


def version(variables: Mapping[str, object]) -> str | None:
    """Return None: Codex adds no variable of its own to a hook's environment."""
    return None


def _call(fields: Json) -> Json:
    """Return the fields of a tool call that have other values in `events/`.

    A command may be a list of words, the whole input or a part of it.
    """
    own = fields.get("tool_name")
    tool = _BASH if own == _BASH.name else TOOLS.get(own) if isinstance(own, str) else None
    if tool is None or tool.name != _BASH.name or "tool_input" not in fields:
        return renamed_call(fields, TOOLS)
    given = input_object(tool.name, fields["tool_input"])
    action = given.get("action")
    if own == "local_shell" and isinstance(action, dict):
        given = action
    inputs = {key: _command(one) if key in _SCRIPTS else one for key, one in given.items()}
    if own == "write_stdin" and not inputs.get("chars"):
        return {}  # it waits for output
    named: Json = {} if own == tool.name else {"tool_name": tool.name, "client_tool": own}
    if own == "write_stdin" or (own == "unified_exec" and given.get("session_id") is not None):
        named["typed_text"] = True
    return named | {"tool_input": in_events(tool, inputs, fields.get("cwd"))}


def _command(command: Any) -> Any:
    """Return a command as text; a list of words is the script of a shell, or a command of its own.

    >>> _command(["bash", "-lc", "echo hi; pwd"])
    'echo hi; pwd'
    >>> _command(["git", "commit", "-m", "a b"])
    "git commit -m 'a b'"
    """
    words = command if isinstance(command, list) else []
    if not words or not all(isinstance(word, str) for word in words):
        return command
    shell = posixpath.basename(words[0]) in _SHELLS
    if shell and len(words) == _SHELL_WORDS and words[1] in _COMMAND_OPTIONS:
        return words[2]
    return shlex.join(words)
