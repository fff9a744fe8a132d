"""Entries of hookd in Claude Code's settings: their form, adding and removing them.

Values in, new values out. An entry is ours if it runs a link of a scope's folder, which is named
after its event (`.../shims/user/PreToolUse`), or a file named `hookd-hook`: that is the older form,
which has its options as arguments.
"""

import shlex
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import field
from itertools import pairwise
from typing import Any

from hookd.core.model.deadlines import client_timeout
from hookd.core.model.shim_paths import SHIM, is_shim
from hookd.events.protocol import EVENTS, EventSpec
from hookd.lazy_dataclass import dataclass
from hookd.lazy_pattern import lazy_compile

CLOSED = "--fail-closed"
"""In the older form: tells the shim to refuse an event that it has no answer for."""

ON_FAILURE = "onFailure"
"""The client's own key: with `block` it says no where the hook could not be run."""

Json = dict[str, Any]


class ShapeError(ValueError):
    """The settings are not of the shape that Claude Code reads; the message names the key path."""


_PLAIN = lazy_compile(r"[\w/.,:@%+=-]+")


@dataclass(frozen=True)
class Shim:
    """Registration of one scope: the absolute path of its folder of links.

    `closed` are the events that fail closed, `closed_before` those that did until now: their
    `onFailure` came with that, which an entry alone does not tell. `deadlines` are the seconds that
    the shim waits on events whose hooks need more than usual.
    """

    folder: str
    closed: tuple[str, ...] = ()
    closed_before: tuple[str, ...] = ()
    deadlines: Mapping[str, int] = field(default_factory=dict)

    def link(self, event: str) -> str:
        """Return the path of the link that is registered for an event."""
        return f"{self.folder}/{event}"


@dataclass(frozen=True)
class Changes:
    """The events whose entry of ours comes, changes and goes."""

    put_in: list[str]
    renewed: list[str]
    taken_out: list[str]


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
    for name, ours in _own(settings).items():
        yield from ((name, path) for hook in ours if (path := program(hook)))


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
    fresh = {name: entry(EVENTS[name], shim) for name in events}
    hooks = _swept(settings, fresh, kept, shim.closed_before)
    for name, new in fresh.items():
        groups = hooks.get(name, [])
        if not any(_ours_in(groups)):
            hooks[name] = [*groups, _group(EVENTS[name], new)]
    return _with(settings, hooks, kept)


def waiting(settings: Json, deadlines: Mapping[str, int]) -> Json:
    """Return `settings` whose entries of ours wait long enough for these deadlines of the shim.

    Nothing else changes, and no entry waits less than before. Raise ShapeError as `register` does.
    """
    hooks = dict(settings.get("hooks", {}))
    for name, groups in _events(settings).items():
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


def notes(settings: Json) -> list[str]:
    """Return what a person should know who registers hookd in `settings`, a sentence each."""
    under = {name: _ours_in(groups) for name, groups in _events(settings).items()}
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


def _swept(
    settings: Json,
    fresh: Mapping[str, Json],
    kept: Collection[str] = (),
    closed_before: Collection[str] = (),
) -> Json:
    """Return the hooks object with our entries renewed from `fresh`, or gone."""
    events, hooks = _events(settings), {}
    for name, groups in settings.get("hooks", {}).items():
        closes = name in closed_before
        left = _renewed(groups, fresh.get(name), closes) if name in events else groups
        if left or not groups or f"hooks.{name}" in kept:
            hooks[name] = left
    return hooks


def _renewed(groups: list[Json], new: Json | None, closes: bool) -> list[Json]:
    """Return the groups with `new` for our entry, once for each matcher, or without it."""
    done, result = set(), []
    for group in groups:
        hooks: list[Json] = []
        for hook in group["hooks"]:
            if not _ours(hook):
                hooks.append(hook)
            elif new and _matcher(group) not in done:
                done.add(_matcher(group))
                hooks.append(_kept(hook, new, closes) | new)
        if hooks or not group["hooks"]:
            result.append(group | {"hooks": hooks})
    return result


def _kept(hook: Json, new: Json, closes: bool) -> Json:
    """Return what is kept of a renewed entry: not what came with failing closed, nor `args`."""
    dropped = {"args"} - new.keys()
    if closes or _closes(hook):
        dropped.add(ON_FAILURE)
    return {key: value for key, value in hook.items() if key not in dropped}


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
