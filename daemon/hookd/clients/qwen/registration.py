"""Entries of hookd in Qwen Code's settings: their form, adding and removing them."""

import shlex
from collections.abc import Mapping

from hookd.clients.group_registration import GroupRegistration
from hookd.clients.hook_groups import Json, Shim
from hookd.core.model.deadlines import client_timeout
from hookd.events.protocol import EventSpec

USER_FILE = "settings.json"
"""Path of the user's file, from Qwen Code's folder."""

PROJECT_FILE = ".qwen/settings.json"
"""Path of a project's file, from its root."""

HOOK_NAME = "hookd"
"""The name of each entry."""

LONGEST_S = 999
"""Qwen Code reads a greater timeout as milliseconds."""

NAMES: Mapping[str, str] = {
    name: name
    for name in (
        "SessionStart",
        "InstructionsLoaded",
        "UserPromptSubmit",
        "UserPromptExpansion",
        "PreToolUse",
        "PermissionRequest",
        "PermissionDenied",
        "PostToolUse",
        "PostToolUseFailure",
        "PostToolBatch",
        "SubagentStart",
        "SubagentStop",
        "Stop",
        "StopFailure",
        "Notification",
        "PreCompact",
        "PostCompact",
        "SessionEnd",
    )
}
"""Qwen Code's names of the registered events, by hookd's: they are the same."""

MORE = ("MessageDisplay", "TodoCreated", "TodoCompleted", "SessionDelete")
"""Qwen Code's other events. MessageDisplay comes many times a second while text streams."""


def entry(event: EventSpec, shim: Shim) -> Json:
    """Return the hook entry of one event."""
    return {
        "type": "command",
        "name": HOOK_NAME,
        "command": shlex.quote(shim.link(event.name)),
        "timeout": min(client_timeout(event, shim.deadlines), LONGEST_S),
    }


def switched_off(settings: Json) -> str:
    """Return the setting that keeps our entries from running, as a sentence; "" if none does."""
    if settings.get("disableAllHooks") is True:
        return "disableAllHooks is true: Qwen Code runs no hooks"
    return ""


_GROUPS = GroupRegistration(NAMES, entry, more=MORE, switched_off=switched_off)

register = _GROUPS.register
unregister = _GROUPS.unregister
bare = _GROUPS.bare
registered = _GROUPS.registered
programs = _GROUPS.programs
changes = _GROUPS.changes
notes = _GROUPS.notes


def trial_call(session: str, command: str, folder: str) -> Json:
    """Return a shell call that is about to run, as Qwen Code sends it."""
    return {
        "session_id": session,
        "transcript_path": "",
        "cwd": folder,
        "hook_event_name": "PreToolUse",
        "permission_mode": "default",
        "tool_name": "run_shell_command",
        "tool_input": {"command": command},
        "tool_use_id": session,
    }
