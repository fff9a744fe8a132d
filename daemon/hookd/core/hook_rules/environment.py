"""Environment of a hook's process: the variables of an event, and variables that are passed on.

The whole event is on stdin. The variables are its short form, for scripts without a JSON parser:
each has at most 2,048 bytes, and none has the content of a file. No command is assembled from them,
so a file may have any name.
"""

import posixpath
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

from hookd.core.hook_rules.event_summary import exit_code, summarize, truncate_bytes
from hookd.core.hook_rules.model import Hook
from hookd.core.hook_rules.path_policy import PathPolicy, blocked_folder
from hookd.events.call_parts import APPLY_PATCH, written_names
from hookd.events.matcher import OPTA_TOOL_NAMES
from hookd.events.model import HookInput
from hookd.lazy_dataclass import dataclass
from hookd.lazy_pattern import lazy_compile

MAX_VARIABLE_BYTES = 2_048
"""Maximum bytes of a variable of an event."""

_BASE_NAMES = (
    *("PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "LANG", "LC_ALL", "TZ", "TMPDIR"),
    *("NODE_ENV", "VIRTUAL_ENV", "HOOKD_HOME", "CLAUDE_CONFIG_DIR"),
    *("XDG_RUNTIME_DIR", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"),
)
_CLIENT_NAMES = (
    *("AGENT_ID", "AGENT_CLAIMS", "AGENT_TARGETED_CLAIMS", "AGENT_MANAGES", "AGENT_PARENT"),
    *("CLAUDE_PROJECT_DIR", "CLAUDE_PLUGIN_ROOT", "CLAUDE_PLUGIN_DATA", "CLAUDE_PID"),
    *("CLAUDE_CODE_SESSION_ID", "TMUX", "TMUX_PANE", "HOOKD_RUN"),
)
"""Variables of the caller: only from the client, because the daemon's own may be another's."""

_SECRET = lazy_compile(r"(?i)key|token|secret|passw|passphrase|passcode|credential|auth|cookie")

_HOOKD = (
    *("EVENT", "SESSION_ID", "CWD", "TOOL_NAME", "TOOL_INPUT", "TOOL_RESULT", "FILE_PATH"),
    *("FILE_PATHS", "COMMAND", "ERROR", "MODEL", "EXIT_CODE", "AGENT_ID", "PROJECT_DIR", "TIME"),
    "CLIENT",
)
_OPTA = ("SESSION_ID", "CWD", "MODEL", "TOOL_RESULT", "ERROR")
_PLAIN = ("TOOL_NAME", "FILE_PATH", "SESSION_ID", "CWD", "EXIT_CODE", "COMMAND")
_SETS: Mapping[str, Mapping[str, str]] = {
    "hookd": {f"HOOKD_{name}": name for name in _HOOKD},
    "opta": {f"OPTA_{name}": name for name in _OPTA}
    | {name: name for name in ("OPTA_EVENT", "OPTA_TOOL_NAME", "OPTA_TOOL_ARGS")},
    "plain": {name: name for name in _PLAIN} | {"HOOK_EVENT_NAME": "EVENT"},
}
_OPTA_EVENTS = {
    "SessionStart": "session.start",
    "SessionEnd": "session.end",
    "PreToolUse": "tool.pre",
    "PostToolUse": "tool.post",
    "PostToolUseFailure": "error",
    "StopFailure": "error",
    "PostCompact": "compact",
    "Stop": "turn.done",
    "UserPromptSubmit": "prompt.pre",
}
_OPTA_TOOLS = {name: opta for opta, name in OPTA_TOOL_NAMES.items()}
_FILLED = lazy_compile(r"\$\{(CLAUDE_PROJECT_DIR|CLAUDE_PLUGIN_ROOT|CLAUDE_PLUGIN_DATA)\}")


@dataclass(frozen=True, slots=True)
class HookEnvironment:
    """The variables of an event, by name without prefix; `notes` says which are missing.

    `client_env` is the part of the client's environment that came with it. It is the same for all
    hooks of the event.
    """

    values: Mapping[str, str]
    client_env: Mapping[str, str]
    notes: tuple[str, ...] = ()


def event_variables(  # noqa: PLR0913 - what is known of an event
    event: HookInput,
    sent: Mapping[str, str],
    *,
    model: str | None = None,
    leads_to: str | None = None,
    reach: PathPolicy = PathPolicy(),  # noqa: B008 - it is frozen
    at: str | None = None,
    client: str = "",
) -> HookEnvironment:
    """Return the variables of an event.

    `sent` is the client's environment, `model` the session's model, if known. `leads_to` is the
    real path of the event's file, if known; `at` is the time of the run; `client` is the name of
    the client that sent the event, "" if none did.
    """
    notes: list[str] = []
    path = event_file(event)
    if path is not None and (why := _path_refusal(event, path, leads_to, reach)):
        notes.append(f"FILE_PATH is not given: {why}")
        path = None
    files = _patched_files(event)
    whys = (_path_refusal(event, one, None, reach) for one in files)
    why = next(filter(None, whys), None) if _fits_variable("\n".join(files)) else "it is too long"
    if why:
        notes.append(f"FILE_PATHS is not given: {why}")
        files = ()
    agent = sent.get("AGENT_ID")
    texts = {
        "EVENT": event.hook_event_name,
        "TIME": at,
        "CLIENT": client,
        "OPTA_EVENT": _OPTA_EVENTS.get(event.hook_event_name, event.hook_event_name),
        "SESSION_ID": event.session_id,
        "CWD": event.cwd if _fits_variable(event.cwd) else None,
        "FILE_PATH": path,
        "FILE_PATHS": "\n".join(files),
        "MODEL": _text(event, "to_model") or _text(event, "model") or model,
        "AGENT_ID": None if agent == "default" else agent,
        "PROJECT_DIR": sent.get("CLAUDE_PROJECT_DIR"),
        **_of_tool(event),
    }
    values = {
        name: truncate_bytes(text, MAX_VARIABLE_BYTES) for name, text in texts.items() if text
    }
    return HookEnvironment(values, sent, tuple(notes))


def process_environment(
    hook: Hook,
    event: HookEnvironment,
    base: Mapping[str, str],
    passthrough: Sequence[str] = (),
    env_sets: Sequence[str] = (),
) -> dict[str, str]:
    """Return the whole environment of a hook's process.

    Of `base`, the daemon's own, and of the client's it has the usual names and those that
    `passthrough` names: globs, but a secret passes only under its own name. A hook that inherits
    the environment has all of both. The variables of the event win over every other; `env_sets`
    are further sets of them, for every hook.
    """
    globs = (*_BASE_NAMES, *_CLIENT_NAMES, *passthrough)
    own = {name: value for name, value in base.items() if name not in _CLIENT_NAMES}
    given = {
        name: value.replace("\0", "").encode("utf-8", "replace").decode()
        for name, value in (own | _valid_utf8(event.client_env)).items()
        if _valid(name) and (_inherits(hook, name) or _passes(name, globs))
    }
    for one in ("hookd", *env_sets, *hook.env_sets):
        for name, key in _SETS.get(one, {}).items():
            given.pop(name, None)  # an inherited value belongs to another event
            if key in event.values:
                given[name] = event.values[key]
    return given


def expand_placeholders(text: str, variables: Mapping[str, str]) -> str:
    """Return an argument of a program with Claude Code's placeholders expanded.

    >>> filled("${CLAUDE_PROJECT_DIR}/x $HOME", {"CLAUDE_PROJECT_DIR": "/p", "HOME": "/h"})
    '/p/x $HOME'
    """
    return _FILLED.sub(lambda found: variables.get(found[1], ""), text)


def event_file(event: HookInput) -> str | None:
    """Return the path of an event's file, as written; None without one, or with several."""
    if files := _patched_files(event):
        return files[0] if len(files) == 1 else None
    tool_input = getattr(event, "tool_input", None)
    if isinstance(tool_input, Mapping):
        found = (tool_input.get(key) for key in ("file_path", "notebook_path"))
        return next((path for path in found if isinstance(path, str) and path), None)
    return _text(event, "file_path")


def _patched_files(event: HookInput) -> tuple[str, ...]:
    """Return the files that a patch writes, as written; empty for other calls."""
    tool_input = getattr(event, "tool_input", None)
    if _text(event, "tool_name") != APPLY_PATCH or not isinstance(tool_input, Mapping):
        return ()
    return written_names(tool_input)


def _path_refusal(
    event: HookInput, path: str, leads_to: str | None, reach: PathPolicy
) -> str | None:
    """Return why the path of the event's file is not passed to a hook, None if it is."""
    if not _fits_variable(path):
        return "it holds a NUL, or is too long"
    absolute = posixpath.join(event.cwd or "/", path)
    folders = (blocked_folder(one, reach.blocked) for one in (absolute, leads_to) if one)
    folder = next(filter(None, folders), None)
    return folder and f"the file is in {folder}"


def _of_tool(event: HookInput) -> dict[str, str | None]:
    tool = _text(event, "tool_name")
    error = {"ERROR": _text(event, "error"), "EXIT_CODE": exit_code(event)}
    if tool is None:
        return error
    tool_input, result = getattr(event, "tool_input", None), getattr(event, "tool_response", None)
    command = tool_input.get("command") if isinstance(tool_input, Mapping) else None
    return error | {
        "OPTA_TOOL_NAME": _OPTA_TOOLS.get(tool, tool),
        "OPTA_TOOL_ARGS": None
        if tool_input is None
        else summarize(tool, _opta(tool_input), MAX_VARIABLE_BYTES),
        "TOOL_NAME": tool,
        "TOOL_INPUT": None
        if tool_input is None
        else summarize(tool, tool_input, MAX_VARIABLE_BYTES),
        "TOOL_RESULT": None if result is None else summarize(tool, result, MAX_VARIABLE_BYTES),
        "COMMAND": command if isinstance(command, str) and tool != APPLY_PATCH else None,
    }


def _opta(tool_input: Any) -> Any:
    """Return a tool's input with a file's path under Opta's name."""
    if not isinstance(tool_input, Mapping) or "file_path" not in tool_input:
        return tool_input
    return {"path" if key == "file_path" else key: value for key, value in tool_input.items()}


def _text(event: HookInput, name: str) -> str | None:
    found = getattr(event, name, None)
    return found if isinstance(found, str) and found else None


def _fits_variable(path: str | None) -> bool:
    """Return whether a path fits into a variable: a cut path would name another file."""
    return (
        path is not None
        and "\0" not in path
        and len(path.encode("utf-8", "replace")) <= MAX_VARIABLE_BYTES
    )


def _valid_utf8(sent: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that were valid UTF-8: a replacement would be another value."""
    return {name: value for name, value in sent.items() if "\ufffd" not in value}


def _valid(name: str) -> bool:
    return name.isascii() and name.isprintable() and "=" not in name and name != ""


def _inherits(hook: Hook, name: str) -> bool:
    # The client passes no telemetry settings to its hooks either: they would report as the client.
    return hook.inherit_env and not name.startswith("OTEL_")


def _passes(name: str, globs: Sequence[str]) -> bool:
    if _SECRET.search(name):
        return name in globs
    return any(fnmatchcase(name, glob) for glob in globs)
