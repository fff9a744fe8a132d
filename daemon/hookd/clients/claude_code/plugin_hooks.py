"""Hooks of the Claude Code plugin: the events that `hookd install` registers by default."""

from hookd.clients.claude_code.registration import entry
from hookd.clients.hook_groups import Json, Shim
from hookd.events.protocol import EVENTS

PROGRAM = "${CLAUDE_PLUGIN_ROOT}/bin/hookd-plugin-hook"
"""The program of each hook; the client replaces the variable where `args` are given."""

_ABOUT = "hookd on every event. Made by docs/generate.py from hookd's own list of events."


def plugin_hooks() -> Json:
    """Return the content of the plugin's hooks.json."""
    shim, hooks = Shim(""), dict[str, list[Json]]()
    for spec in EVENTS.values():
        if spec.registered:
            own = entry(spec, shim) | {"command": PROGRAM, "args": [spec.name]}
            matcher = {"matcher": "*"} if spec.match == "tool_name" else {}
            hooks[spec.name] = [matcher | {"hooks": [own]}]
    return {"description": _ABOUT, "hooks": hooks}
