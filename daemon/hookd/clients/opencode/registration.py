"""The plugin file of hookd for opencode: its first line names the configuration that it reads.

Text in, text out. A file is ours if it begins with that line; another file of this name is not
touched. As settings, a file of ours has the one key `KEY`, any other file none.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping

from hookd.clients.hook_groups import Changes, Json, ShapeError, Shim
from hookd.core.model.shim_paths import is_scope
from hookd.lazy_pattern import lazy_compile

USER_FILE = "plugins/hookd.js"
"""Path of the user's file, from opencode's folder."""

PROJECT_FILE = ".opencode/plugins/hookd.js"
"""Path of a project's file, from its root."""

PLUGIN = "plugin.js"
"""File name of the plugin in the package, beside this module."""

CONFIG = "hookd.json"
"""File name of the plugin's configuration, in the scope's folder."""

KEY = "plugin"
"""Key of the configuration's path in the settings of a file of ours."""

NAMES: Mapping[str, str] = {
    "SessionStart": "session.created",
    "UserPromptSubmit": "chat.message",
    "PreToolUse": "tool.execute.before",
    "PermissionRequest": "permission.asked",
    "PermissionDenied": "permission.replied",
    "PostToolUse": "tool.execute.after",
    "SubagentStart": "session.created",
    "SubagentStop": "session.idle",
    "Stop": "session.idle",
    "StopFailure": "session.error",
    "PreCompact": "experimental.session.compacting",
    "PostCompact": "session.compacted",
    "SessionEnd": "dispose",
}
"""opencode's names of the events that the plugin sends, by hookd's."""

_FIRST = lazy_compile(r'const CONFIG = ("(?:[^"\\\n]|\\.)*");?\r?(?:\n|$)')


def register(
    _settings: Json, shim: Shim, _events: Iterable[str], _kept: Collection[str] = ()
) -> Json:
    """Return the settings of a plugin that reads the configuration of a scope."""
    return {KEY: f"{shim.folder}/{CONFIG}"}


def unregister(settings: Json, kept: Collection[str] = ()) -> Json:
    """Return no settings: the file goes."""
    return {}


def bare(_settings: Json) -> tuple[str, ...]:
    """Return none: there are no containers."""
    return ()


def registered(settings: Json) -> list[str]:
    """Return hookd's names of the events that the plugin sends."""
    return list(NAMES) if KEY in settings else []


def programs(settings: Json) -> Iterator[tuple[str, str]]:
    """Yield opencode's event, and the path that its link has in the scope's folder."""
    for name in registered(settings):
        yield NAMES[name], f"{settings[KEY].rpartition('/')[0]}/{name}"


def changes(before: Json, after: Json) -> Changes:
    """Return which events come, change and go with the file, by opencode's names."""
    every = list(dict.fromkeys(NAMES.values()))
    was, is_there = KEY in before, KEY in after
    return Changes(
        put_in=every if is_there and not was else [],
        renewed=every if was and is_there and before != after else [],
        taken_out=every if was and not is_there else [],
    )


def trial_call(session: str, command: str, folder: str) -> Json:
    """Return a shell call that is about to run, as the plugin sends it."""
    return {
        "sessionID": session,
        "hook": "tool.execute.before",
        "directory": folder,
        "input": {"tool": "bash", "sessionID": session, "callID": session},
        "output": {"args": {"command": command}},
    }


def notes(_settings: Json) -> list[str]:
    """Return nothing: a person has no settings in this file."""
    return []


def settings_of(text: str) -> Json:
    """Return the settings of a file's text; none if it is not ours."""
    path = config_of(text)
    return {} if path is None else {KEY: path}


def text_of(before: str | None, plugin: str, settings: Json) -> str:
    """Return the text of a file with these settings: `plugin` after the line that names them.

    The line replaces one of the same form in `plugin`. `before` is the file as it is, None without
    one. Raise ShapeError if it is not ours.
    """
    if before is not None and config_of(before) is None:
        raise ShapeError("the file does not begin as hookd's plugin does, so it is not replaced")
    found = _FIRST.match(plugin)
    line = f"const CONFIG = {json.dumps(settings[KEY])};\n"
    return line + plugin[found.end() if found else 0 :]


def config_of(text: str) -> str | None:
    """Return the path of the configuration that a plugin of ours reads; None if it is not ours."""
    found = _FIRST.match(text)
    if found is None:
        return None
    try:
        path = json.loads(found[1])
    except ValueError:
        return None
    scope, _, name = str(path).rpartition("/")
    return path if name == CONFIG and is_scope(scope.rpartition("/")[2]) else None
