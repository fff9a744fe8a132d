"""Entries of hookd in a hook file of Copilot CLI: their form, adding and removing them.

Copilot CLI reads every file in its folder of hooks, so hookd has one of its own. An event's list
has the entries themselves, without groups. The names in camelCase are registered: their payloads
and answers are the plain ones. Whatever fails, Copilot CLI denies the tool call, also if the
program is missing, so an entry goes before its program does.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping

from hookd.clients import hook_groups
from hookd.clients.hook_groups import Changes, Form, Json, Shim, shaped
from hookd.core.model.deadlines import client_timeout
from hookd.core.model.shim_paths import is_shim
from hookd.events.protocol import EVENTS, EventSpec

USER_FILE = "hooks/hookd.json"
"""Path of the user's file, from Copilot CLI's folder."""

PROJECT_FILE = ".github/hooks/hookd.json"
"""Path of a repository's file, from its root."""

NAMES: Mapping[str, str] = {
    "SessionStart": "sessionStart",
    "UserPromptSubmit": "userPromptSubmitted",
    "PreToolUse": "preToolUse",
    "PermissionRequest": "permissionRequest",
    "PostToolUse": "postToolUse",
    "PostToolUseFailure": "postToolUseFailure",
    "SubagentStart": "subagentStart",
    "SubagentStop": "subagentStop",
    "Stop": "agentStop",
    "StopFailure": "errorOccurred",
    "Notification": "notification",
    "PreCompact": "preCompact",
    "SessionEnd": "sessionEnd",
}
"""Copilot CLI's names of the registered events, by hookd's."""

MORE = ("userPromptTransformed", "preMcpToolCall")
"""Copilot CLI's other events; the first repeats userPromptSubmitted."""

_VERSION: Json = {"version": 1}


def entry(event: EventSpec, shim: Shim) -> Json:
    """Return the hook entry of one event: Copilot CLI starts the link directly, without a shell."""
    return {
        "type": "command",
        "exec": shim.link(event.name),
        "args": [],
        "timeoutSec": client_timeout(event, shim.deadlines),
    }


def program(hook: Json) -> str | None:
    """Return the path of our shim that an entry starts; None if the entry is not ours."""
    path = hook.get("exec")
    ours = hook.get("type") == "command" and isinstance(path, str) and is_shim(path)
    return path if ours and not hook.get("args") else None


_FORM = Form(frozenset((*NAMES.values(), *MORE)), program)


def register(settings: Json, shim: Shim, events: Iterable[str], kept: Collection[str] = ()) -> Json:
    """Return `settings` with our entry for each of `events`, and for no other event.

    `kept` is as for `unregister`. Raise ShapeError if `settings` cannot be read.
    """
    fresh = {NAMES[name]: {"hooks": [entry(EVENTS[name], shim)]} for name in events}
    start = settings or _VERSION
    made = _flat(hook_groups.register(_grouped(start), _FORM, fresh, kept))
    return made if fresh else _own_removed(settings, made)


def unregister(settings: Json, kept: Collection[str] = ()) -> Json:
    """Return `settings` without our entries and without the containers that this empties.

    A file of which only its version is left was hookd's, and becomes empty.
    """
    left = _flat(hook_groups.unregister(_grouped(settings), _FORM, kept))
    return _own_removed(settings, left)


def _own_removed(before: Json, left: Json) -> Json:
    return {} if left == _VERSION and (registered(before) or not before) else left


def bare(settings: Json) -> tuple[str, ...]:
    """Return the key paths of the empty containers that an entry would be put into."""
    return hook_groups.bare(_grouped(settings), _FORM)


def registered(settings: Json) -> list[str]:
    """Return hookd's names of the events that have an entry of ours, in its order."""
    found = hook_groups.own(_grouped(settings), _FORM)
    return [name for name, theirs in NAMES.items() if theirs in found]


def programs(settings: Json) -> Iterator[tuple[str, str]]:
    """Yield Copilot CLI's event and the shim path of each entry of ours."""
    return hook_groups.programs(_grouped(settings), _FORM)


def changes(before: Json, after: Json) -> Changes:
    """Return whose entries of ours differ between two settings, by Copilot CLI's names."""
    return hook_groups.changes(_grouped(before), _grouped(after), _FORM)


def trial_call(session: str, command: str, folder: str) -> Json:
    """Return a shell call that is about to run, as Copilot CLI sends it; it has no event's name."""
    return {
        "sessionId": session,
        "cwd": folder,
        "toolName": "bash",
        "toolArgs": {"command": command},
    }


def notes(settings: Json) -> list[str]:
    """Return what a person should know who registers hookd in `settings`, a sentence each."""
    ours = {
        theirs: [hook for group in groups for hook in group["hooks"] if program(hook)]
        for theirs, groups in hook_groups.events(_grouped(settings), _FORM).items()
    }
    narrow = [name for name, hooks in ours.items() if any(hook.get("matcher") for hook in hooks)]
    return [f"{name}: your matcher is kept, so hookd sees only what it names" for name in narrow]


def _grouped(settings: Json) -> Json:
    """Return the settings with each entry in a group of its own."""
    hooks = shaped(shaped(settings, dict, "the top level").get("hooks", {}), dict, "hooks")
    if "hooks" not in settings:
        return settings
    return settings | {
        "hooks": {
            name: [{"hooks": [hook]} for hook in entries] if isinstance(entries, list) else entries
            for name, entries in hooks.items()
        }
    }


def _flat(settings: Json) -> Json:
    """Return the settings with the entries of each event in one list."""
    if "hooks" not in settings:
        return settings
    return settings | {
        "hooks": {
            name: [hook for group in groups for hook in group["hooks"]]
            if isinstance(groups, list)
            else groups
            for name, groups in settings["hooks"].items()
        }
    }
