"""Entries of hookd in Codex's `hooks.json`: their form, adding and removing them.

Codex runs an entry only after a person has trusted exactly this definition at exactly this place.
So our group goes last, no group of others is ever moved, and an unchanged entry is not rewritten.
Codex's format is closed: for a top-level key or a type of hook that it does not know it refuses the
whole file. hookd keeps to `hooks.json`: `[hooks]` in `config.toml` is a person's.
"""

import shlex
from collections.abc import Collection, Iterable, Mapping

from hookd.clients import hook_groups
from hookd.clients.group_registration import GroupRegistration
from hookd.clients.hook_groups import Json, ShapeError, Shim
from hookd.core.model.deadlines import client_timeout
from hookd.events.protocol import EventSpec

USER_FILE = "hooks.json"
"""Path of the user's file, from Codex's folder."""

PROJECT_FILE = ".codex/hooks.json"
"""Path of a project's file, from its root."""

SHORT = ("SessionEnd", "Interrupt")
"""Events for which Codex waits no longer than `SHORT_S`; it warns at each start about more."""

SHORT_S = 3

NAMES: Mapping[str, str] = {
    name: name
    for name in (
        "SessionStart",
        "UserPromptSubmit",
        "PreToolUse",
        "PermissionRequest",
        "PostToolUse",
        "SubagentStart",
        "SubagentStop",
        "Stop",
        "PreCompact",
        "PostCompact",
        "SessionEnd",
    )
}
"""Codex's names of the registered events, by hookd's: they are the same."""

MORE = ("Interrupt", "PreModelRequest", "PostModelRequest")
"""Codex's other events. No answer to them changes anything, and the last two would start a process
at each request to a model; how full the context is, Codex's record of the session tells."""

_KEYS = ("description", "hooks")
_TYPES = ("command", "mcp_tool", "prompt", "agent")


def entry(event: EventSpec, shim: Shim) -> Json:
    """Return the hook entry of one event: a command for the user's shell, without arguments.

    It has no other key, since a person trusts all of them.
    """
    seconds = client_timeout(event, shim.deadlines)
    seconds = min(seconds, SHORT_S) if event.name in SHORT else seconds
    return {"type": "command", "command": shlex.quote(shim.link(event.name)), "timeout": seconds}


_GROUPS = GroupRegistration(NAMES, entry, more=MORE, positional=True)

unregister = _GROUPS.unregister
bare = _GROUPS.bare
registered = _GROUPS.registered
programs = _GROUPS.programs
changes = _GROUPS.changes
notes = _GROUPS.notes


def register(settings: Json, shim: Shim, events: Iterable[str], kept: Collection[str] = ()) -> Json:
    """Return `settings` with our entry for each of `events`, and for no other event.

    Raise ShapeError if `settings` cannot be read, or if Codex refuses the whole file.
    """
    if reason := refusal(settings):
        raise ShapeError(reason)
    return _GROUPS.register(settings, shim, events, kept)


def refusal(settings: Json) -> str:
    """Return why Codex refuses the whole file, "" if it does not. Raise ShapeError."""
    for key in settings:
        if key not in _KEYS:
            return f"the top level has the key {key!r}, for which Codex refuses the whole file"
    for name, groups in hook_groups.events(settings, _GROUPS.form).items():
        if name not in _GROUPS.form.events:
            continue
        for at, group in enumerate(groups):
            for which, hook in enumerate(group["hooks"]):
                if hook.get("type") not in _TYPES:
                    place = f"hooks.{name}[{at}].hooks[{which}]"
                    return f"{place} has no type that Codex knows, so it refuses the whole file"
    return ""


def trial_call(session: str, command: str, folder: str) -> Json:
    """Return a shell call that is about to run, as Codex sends it."""
    return {
        "session_id": session,
        "turn_id": session,
        "transcript_path": None,
        "cwd": folder,
        "hook_event_name": "PreToolUse",
        "model": "",
        "permission_mode": "default",
        "tool_name": "Bash",
        "tool_input": {"command": command},
        "tool_use_id": session,
    }
