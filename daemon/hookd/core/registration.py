"""The home of hookd's entries in Claude Code's settings: their shape, put in and taken out.

Values in, new values out. An entry is ours when it is a command whose file is named `hookd-hook`,
wherever a person may have moved it.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from hookd.core.protocol import EVENTS, EventSpec

SHIM = "hookd-hook"
"""The file name that makes an entry ours."""

START = "hookd-start"
"""What the shim reads where no daemon runs; it stands beside it."""

CLOSED = "--fail-closed"
"""Tells the shim to say no where it has no answer."""

ON_FAILURE = "onFailure"
"""The client's own key: with `block` it says no where the hook could not be run."""

Json = dict[str, Any]


class ShapeError(ValueError):
    """The settings are not of the shape that Claude Code reads; the message names the key path."""


@dataclass(frozen=True)
class Shim:
    """What an entry tells the shim, which works nothing out on its own.

    All paths are absolute. `transport` is the kind and the program, such as `nc:/usr/bin/nc`.
    `closed` are the events that fail closed. `variables` are the names of environment variables to
    send beside the usual ones.
    """

    path: str
    socket: str
    transport: str
    hookd: str
    closed: tuple[str, ...] = ()
    variables: tuple[str, ...] = ()


@dataclass(frozen=True)
class Changes:
    """The events whose entry of ours comes, changes and goes."""

    put_in: list[str]
    renewed: list[str]
    taken_out: list[str]


def entry(event: EventSpec, shim: Shim) -> Json:
    """Return the hook entry of one event, in exec form: no shell between Claude Code and the shim.

    What fails closed does so twice: by the shim, where the daemon gives no answer, and by the
    client, where the shim itself cannot be run.
    """
    args = ["--event", event.name, "--socket", shim.socket, "--deadline", str(event.deadline)]
    args += ["--transport", shim.transport, "--hookd", shim.hookd]
    closed = event.name in shim.closed
    args += [CLOSED] * closed
    for name in shim.variables:
        args += ["--send", name]
    made = {"type": "command", "command": shim.path, "args": args, "timeout": event.timeout}
    return made | ({ON_FAILURE: "block"} if closed else {})


def register(settings: Json, shim: Shim, events: Iterable[str], kept: Collection[str] = ()) -> Json:
    """Return `settings` with our entry for each of `events`, and for no other event.

    What is not ours stays as it is, in its order. An entry of ours that stands already is renewed
    where it stands; keys that a person added to it or to its group are kept. An event that is not
    wanted any more goes, unless it is one of `kept`, as `unregister` has it.
    Raise ShapeError where `settings` cannot be read.
    """
    fresh = {name: entry(EVENTS[name], shim) for name in events}
    hooks = _swept(settings, fresh, kept)
    for name, new in fresh.items():
        groups = hooks.get(name, [])
        if not any(_ours_in(groups)):
            hooks[name] = [*groups, _group(EVENTS[name], new)]
    return _with(settings, hooks, kept)


def unregister(settings: Json, kept: Collection[str] = ()) -> Json:
    """Return `settings` without our entries and without the containers that this empties.

    `kept` are key paths as `bare` returns them: containers that stood empty before we came. Without
    them it cannot be known, and the emptied containers go. Raise ShapeError as `register` does.
    """
    return _with(settings, _swept(settings, {}, kept), kept)


def bare(settings: Json) -> tuple[str, ...]:
    """Return the key paths of the containers on our way that stand empty: `hooks.Stop`, `hooks`."""
    if settings.get("hooks") == {}:
        return ("hooks",)
    return tuple(f"hooks.{name}" for name, groups in _events(settings).items() if not groups)


def registered(settings: Json) -> list[str]:
    """Return the names of the events that hold an entry of ours."""
    return list(_own(settings))


def changes(before: Json, after: Json) -> Changes:
    """Return whose entries of ours differ between two settings."""
    old, new = _own(before), _own(after)
    return Changes(
        put_in=[name for name in new if name not in old],
        renewed=[name for name in new if name in old and new[name] != old[name]],
        taken_out=[name for name in old if name not in new],
    )


def notes(settings: Json, shim: Shim) -> list[str]:
    """Return what a person should know who registers `shim` in `settings`, a sentence each."""
    under = {name: _ours_in(groups) for name, groups in _events(settings).items()}
    narrow = [name for name, matchers in under.items() if matchers and "*" not in matchers]
    found = [f"{name}: your matcher is kept, so hookd sees only what it names" for name in narrow]
    if settings.get("disableAllHooks") is True:
        found.append("disableAllHooks is true in these settings: Claude Code runs no hooks")
    return found


def closed(settings: Json) -> list[str]:
    """Return the names of the events whose entry of ours fails closed by the shim."""
    return [name for name, ours in _own(settings).items() if any(map(_closes, ours))]


def _closes(hook: Json) -> bool:
    # A person's hand may have left anything in the place of the arguments.
    args = hook.get("args")
    return isinstance(args, list) and CLOSED in args


def _ours(hook: Json) -> bool:
    command = hook.get("command")
    named = isinstance(command, str) and command.rsplit("/", 1)[-1] == SHIM
    return named and hook.get("type") == "command"


def _own(settings: Json) -> dict[str, list[Json]]:
    """Return our entries, by event; an event that holds none is left out."""
    found = {
        name: [hook for group in groups for hook in group["hooks"] if _ours(hook)]
        for name, groups in _events(settings).items()
    }
    return {name: ours for name, ours in found.items() if ours}


def _ours_in(groups: list[Json]) -> list[str]:
    """Return the matcher of each group that holds an entry of ours."""
    return [_matcher(group) for group in groups if any(map(_ours, group["hooks"]))]


def _matcher(group: Json) -> str:
    # Absent, empty and "*" all mean every one to the client.
    return str(group.get("matcher") or "*")


def _group(event: EventSpec, new: Json) -> Json:
    return {"matcher": "*", "hooks": [new]} if event.match == "tool_name" else {"hooks": [new]}


def _with(settings: Json, hooks: Json, kept: Collection[str] = ()) -> Json:
    if hooks or settings.get("hooks") == {} or "hooks" in kept:
        return settings | {"hooks": hooks}
    return {key: value for key, value in settings.items() if key != "hooks"}


def _swept(settings: Json, fresh: Mapping[str, Json], kept: Collection[str] = ()) -> Json:
    """Return the hooks object with our entries renewed from `fresh`, or gone."""
    events, hooks = _events(settings), {}
    for name, groups in settings.get("hooks", {}).items():
        left = _renewed(groups, fresh.get(name)) if name in events else groups
        if left or not groups or f"hooks.{name}" in kept:
            hooks[name] = left
    return hooks


def _renewed(groups: list[Json], new: Json | None) -> list[Json]:
    """Return the groups with `new` for our entry, once for each matcher, or without it."""
    done, result = set(), []
    for group in groups:
        hooks: list[Json] = []
        for hook in group["hooks"]:
            if not _ours(hook):
                hooks.append(hook)
            elif new and _matcher(group) not in done:
                done.add(_matcher(group))
                hooks.append(_kept(hook) | new)
        if hooks or not group["hooks"]:
            result.append(group | {"hooks": hooks})
    return result


def _kept(hook: Json) -> Json:
    """Return an entry of ours that is renewed, without what came with failing closed."""
    return {key: value for key, value in hook.items() if key != ON_FAILURE or not _closes(hook)}


def _events(settings: Json) -> dict[str, list[Json]]:
    """Return the matcher groups of each event; raise ShapeError where they are not readable."""
    hooks = _shaped(settings, dict, "the top level").get("hooks", {})
    events = {
        name: _shaped(groups, list, f"hooks.{name}")
        for name, groups in _shaped(hooks, dict, "hooks").items()
        # The client ignores names that it does not know, so people keep comments under them.
        if name in EVENTS or isinstance(groups, list)
    }
    for name, groups in events.items():
        for at, group in enumerate(groups):
            _check(group, f"hooks.{name}[{at}]")
    return events


def _check(group: Any, path: str) -> None:
    hooks = _shaped(group, dict, path).get("hooks")
    for at, hook in enumerate(_shaped(hooks, list, f"{path}.hooks")):
        _shaped(hook, dict, f"{path}.hooks[{at}]")


def _shaped(value: Any, kind: type, path: str) -> Any:
    if isinstance(value, kind):
        return value
    words = {dict: "an object", list: "a list", str: "text", bool: "true or false"}
    found = "missing or null" if value is None else words.get(type(value), "a number")
    raise ShapeError(f"{path} must be {words[kind]}, but is {found}")
