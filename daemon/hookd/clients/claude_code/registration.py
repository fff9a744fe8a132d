"""Entries of hookd in Claude Code's settings: their form, adding and removing them.

Values in, new values out. An entry is ours if it runs a link of a scope's folder, which is named
after its event (`.../shims/user/PreToolUse`), or a file named `hookd-hook`: that is the older form,
which has its options as arguments.
"""

import shlex
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import pairwise

from hookd.clients import hook_groups
from hookd.clients.hook_groups import Changes, Form, Json, Shim
from hookd.core.model.deadlines import client_timeout
from hookd.core.model.shim_paths import SHIM, is_shim
from hookd.events.protocol import EVENTS, EventSpec
from hookd.lazy_pattern import lazy_compile

USER_FILE = "settings.json"
"""Path of the user's file, from Claude Code's folder."""

PROJECT_FILE = ".claude/settings.json"
"""Path of a project's file, from its root."""

NAMES: Mapping[str, str] = {name: name for name in EVENTS}
"""Claude Code's names of the events: hookd's are the same."""

CLOSED = "--fail-closed"
"""In the older form: tells the shim to refuse an event that it has no answer for."""

ON_FAILURE = "onFailure"
"""The client's own key: with `block` it says no where the hook could not be run."""

_PLAIN = lazy_compile(r"[\w/.,:@%+=-]+")


def entry(event: EventSpec, shim: Shim) -> Json:
    """Return the hook entry of one event.

    It runs the same way in every client: with `args`, new clients start the link directly, and
    those before 2.1.139, which ignore `args`, pass it to `sh`. A path that `sh` would not take as
    it is gets quoted, without `args`, so that every client passes it to `sh`.
    What fails closed does so twice: by the shim, where the daemon gives no answer, and by the
    client, where the shim itself cannot be run.
    """
    path = shim.link(event.name)
    how: Json = {"command": path, "args": []} if plain(path) else {"command": shlex.quote(path)}
    made = {"type": "command", **how, "timeout": client_timeout(event, shim.deadlines)}
    return made | ({ON_FAILURE: "block"} if event.name in shim.closed else {})


def plain(path: str) -> bool:
    """Return whether `sh` takes a path as one word, unchanged and unquoted."""
    return bool(_PLAIN.fullmatch(path))


def program(hook: Json) -> str | None:
    """Return the path of our shim that an entry runs; None if the entry is not ours."""
    command = hook.get("command")
    if hook.get("type") != "command" or not isinstance(command, str):
        return None
    return next((path for path in _paths(command, hook) if is_shim(path)), None)


def programs(settings: Json) -> Iterator[tuple[str, str]]:
    """Yield event and shim path of each entry of ours."""
    return hook_groups.programs(settings, _FORM)


def register(
    settings: Json,
    shim: Shim,
    events: Iterable[str],
    kept: Collection[str] = (),
) -> Json:
    """Return `settings` with our entry for each of `events`, and for no other event.

    Other entries keep their order and their text. An entry of ours, of either form, is renewed in
    its place; keys that a person added to it or to its group are kept. An event that is no longer
    wanted is removed, unless it is one of `kept`, as for `unregister`.
    Raise ShapeError if `settings` cannot be read.
    """
    fresh = {name: _group(EVENTS[name], entry(EVENTS[name], shim)) for name in events}
    form = replace(_FORM, renewed=partial(_renewed, shim.closed_before))
    return hook_groups.register(settings, form, fresh, kept)


def waiting(settings: Json, deadlines: Mapping[str, int]) -> Json:
    """Return `settings` whose entries of ours wait long enough for these deadlines of the shim.

    Nothing else changes, and no entry waits less than before. Raise ShapeError as `register` does.
    """
    hooks = dict(settings.get("hooks", {}))
    for name, groups in hook_groups.events(settings, _FORM).items():
        if name in deadlines:
            least = client_timeout(EVENTS[name], deadlines)
            hooks[name] = [
                group | {"hooks": [_patient(hook, least) for hook in group["hooks"]]}
                for group in groups
            ]
    return settings | {"hooks": hooks} if hooks else settings


def _patient(hook: Json, least: int) -> Json:
    # Without a timeout, the client waits for longer than any hook may take.
    seconds = hook.get("timeout")
    short = _ours(hook) and isinstance(seconds, int | float) and seconds < least
    return hook | {"timeout": least} if short else hook


def unregister(settings: Json, kept: Collection[str] = ()) -> Json:
    """Return `settings` without our entries and without the containers that this empties.

    `kept` are key paths as `bare` returns them: containers that stood empty before we came. Without
    them it cannot be known, and the emptied containers go. Raise ShapeError as `register` does.
    """
    return hook_groups.unregister(settings, _FORM, kept)


def bare(settings: Json) -> tuple[str, ...]:
    """Return the key paths of the containers on our way that stand empty: `hooks.Stop`, `hooks`."""
    return hook_groups.bare(settings, _FORM)


def registered(settings: Json) -> list[str]:
    """Return the names of the events that hold an entry of ours."""
    return list(_own(settings))


def changes(before: Json, after: Json) -> Changes:
    """Return whose entries of ours differ between two settings."""
    return hook_groups.changes(before, after, _FORM)


def trial_call(session: str, command: str, folder: str) -> Json:
    """Return a shell call that is about to run, as Claude Code sends it."""
    return {
        "session_id": session,
        "transcript_path": "",
        "cwd": folder,
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": command},
        "tool_use_id": session,
    }


def notes(settings: Json) -> list[str]:
    """Return what a person should know who registers hookd in `settings`, a sentence each."""
    groups = hook_groups.events(settings, _FORM)
    under = {name: hook_groups.ours_in(found, _FORM) for name, found in groups.items()}
    narrow = [name for name, matchers in under.items() if matchers and "*" not in matchers]
    found = [f"{name}: your matcher is kept, so hookd sees only what it names" for name in narrow]
    if settings.get("disableAllHooks") is True:
        found.append("disableAllHooks is true in these settings: Claude Code runs no hooks")
    return found


def closed(settings: Json) -> list[str]:
    """Return the events whose entry of the older form fails closed.

    The newer form has that in its shim configuration.
    """
    return [name for name, ours in _own(settings).items() if any(map(_closes, ours))]


def sent(settings: Json) -> list[str]:
    """Return the variables that entries of the older form send beside the usual ones."""
    found: list[str] = []
    for hook in (hook for ours in _own(settings).values() for hook in ours):
        args = hook.get("args")
        pairs = pairwise(args) if isinstance(args, list) else ()
        found += [name for flag, name in pairs if flag == "--send" and isinstance(name, str)]
    return list(dict.fromkeys(found))


def blocked(settings: Json) -> list[str]:
    """Return the events whose entry of ours has `onFailure: block`."""
    own = _own(settings)
    return [name for name in own if any(hook.get(ON_FAILURE) == "block" for hook in own[name])]


def _closes(hook: Json) -> bool:
    # A person's hand may have left anything in the place of the arguments.
    args = hook.get("args")
    return isinstance(args, list) and CLOSED in args


def _ours(hook: Json) -> bool:
    return program(hook) is not None


def _paths(command: str, hook: Json) -> Iterator[str]:
    """Yield the programs that a command may start: with `args` itself, else the one word of it."""
    if "args" in hook:
        yield command
        return
    if command.rsplit("/", 1)[-1] == SHIM:  # unquoted, as a person may have written it
        yield command
    try:
        words = shlex.split(command)
    except ValueError:
        return
    if len(words) == 1 and command in (words[0], shlex.quote(words[0])):
        yield words[0]


def _own(settings: Json) -> dict[str, list[Json]]:
    return hook_groups.own(settings, _FORM)


def _group(event: EventSpec, new: Json) -> Json:
    return {"matcher": "*", "hooks": [new]} if event.match == "tool_name" else {"hooks": [new]}


def _renewed(closed_before: Collection[str], event: str, hook: Json, new: Json) -> Json:
    return _kept(hook, new, closes=event in closed_before) | new


def _kept(hook: Json, new: Json, *, closes: bool) -> Json:
    """Return what is kept of a renewed entry: not what came with failing closed, nor `args`."""
    dropped = {"args"} - new.keys()
    if closes or _closes(hook):
        dropped.add(ON_FAILURE)
    return {key: value for key, value in hook.items() if key not in dropped}


_FORM = Form(EVENTS, program)
