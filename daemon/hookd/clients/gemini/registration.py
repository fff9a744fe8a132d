"""Entries of hookd in Gemini CLI's settings: their form, adding and removing them.

An entry has a name, by which `/hooks disable` switches it off. A program that is missing makes
Gemini CLI deny every tool call, so an entry goes before its program does.
"""

import shlex
from collections.abc import Mapping

from hookd.clients.group_registration import GroupRegistration
from hookd.clients.hook_groups import Json, Shim
from hookd.core.model.deadlines import client_timeout
from hookd.events.protocol import EventSpec

USER_FILE = "settings.json"
"""Path of the user's file, from Gemini CLI's folder."""

PROJECT_FILE = ".gemini/settings.json"
"""Path of a project's file, from its root."""

HOOK_NAME = "hookd"
"""The name of each entry."""

NAMES: Mapping[str, str] = {
    "SessionStart": "SessionStart",
    "UserPromptSubmit": "BeforeAgent",
    "PreToolUse": "BeforeTool",
    "PostToolUse": "AfterTool",
    "Stop": "AfterAgent",
    "Notification": "Notification",
    "PreCompact": "PreCompress",
    "SessionEnd": "SessionEnd",
}
"""Gemini CLI's names of the registered events, by hookd's. AfterTool also reports a failure."""

MORE = ("BeforeModel", "AfterModel", "BeforeToolSelection")
"""Gemini CLI's other events: each would start a process at each request to a model, AfterModel at
each part of an answer. How full the context is, Gemini CLI's record of the session tells."""

MATCHERS: Mapping[str, str] = {"PreCompact": "manual"}
"""PreCompress also comes before each request to a model (`auto`), though nothing is compressed."""


def entry(event: EventSpec, shim: Shim) -> Json:
    """Return the hook entry of one event; Gemini CLI counts the timeout in milliseconds."""
    return {
        "type": "command",
        "name": HOOK_NAME,
        "command": shlex.quote(shim.link(event.name)),
        "timeout": client_timeout(event, shim.deadlines) * 1000,
    }


def switched_off(settings: Json) -> str:
    """Return the setting that keeps our entries from running, as a sentence; "" if none does."""
    config = settings.get("hooksConfig")
    if not isinstance(config, dict):
        return ""
    if config.get("enabled") is False:
        return "hooksConfig.enabled is false: Gemini CLI runs no hooks"
    disabled = config.get("disabled")
    if isinstance(disabled, list) and HOOK_NAME in disabled:
        return f'hooksConfig.disabled names "{HOOK_NAME}": Gemini CLI does not run hookd\'s hooks'
    return ""


_GROUPS = GroupRegistration(NAMES, entry, more=MORE, matchers=MATCHERS, switched_off=switched_off)

register = _GROUPS.register
unregister = _GROUPS.unregister
bare = _GROUPS.bare
registered = _GROUPS.registered
programs = _GROUPS.programs
changes = _GROUPS.changes
notes = _GROUPS.notes


def trial_call(session: str, command: str, folder: str) -> Json:
    """Return a shell call that is about to run, as Gemini CLI sends it."""
    return {
        "session_id": session,
        "transcript_path": "",
        "cwd": folder,
        "hook_event_name": "BeforeTool",
        "tool_name": "run_shell_command",
        "tool_input": {"command": command},
    }
