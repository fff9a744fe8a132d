"""Hook groups in a client's settings: `hooks.EVENT` is a list of `{"matcher", "hooks": [entry]}`.

Values in, new values out. Claude Code, Codex, Gemini CLI and Qwen Code have this shape; what an
entry looks like and which one is ours is the client's. Other entries keep their place, their order
and their text.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import field
from typing import Any

from hookd.lazy_dataclass import dataclass

Json = dict[str, Any]


class ShapeError(ValueError):
    """The settings are not of the shape that the client reads; the message names the key path."""


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


def _merged(event: str, hook: Json, new: Json) -> Json:
    return hook | new


@dataclass(frozen=True)
class Form:
    """How a client's groups are read and written.

    `events` are the names that the client knows. `program` returns the path of our shim that an
    entry runs, None for an entry of others. `renewed` returns an old entry of ours, with the keys
    that a person added, in its new form. `positional`: the client identifies an entry by its place,
    so no group before another one is ever removed.
    """

    events: Collection[str]
    program: Callable[[Json], str | None]
    renewed: Callable[[str, Json, Json], Json] = _merged
    positional: bool = False


def register(
    settings: Json, form: Form, fresh: Mapping[str, Json], kept: Collection[str] = ()
) -> Json:
    """Return `settings` with our group `fresh[EVENT]` for each of its events, and for no other.

    An entry of ours is renewed in its place; keys that a person added to it or to its group are
    kept. A new group goes last. `kept` is as for `unregister`. Raise ShapeError if `settings`
    cannot be read.
    """
    entries = {name: group["hooks"][0] for name, group in fresh.items()}
    hooks = _swept(settings, form, entries, kept)
    for name, group in fresh.items():
        groups = hooks.get(name, [])
        if not ours_in(groups, form):
            hooks[name] = [*groups, group]
    return _with(settings, hooks, kept)


def unregister(settings: Json, form: Form, kept: Collection[str] = ()) -> Json:
    """Return `settings` without our entries and without the containers that this empties.

    `kept` are key paths as `bare` returns them: containers that were empty before us. Without them
    it cannot be known, and the emptied containers go. Raise ShapeError as `register` does.
    """
    return _with(settings, _swept(settings, form, {}, kept), kept)


def bare(settings: Json, form: Form) -> tuple[str, ...]:
    """Return the key paths of the empty containers on our way: `hooks.Stop`, or `hooks`."""
    if settings.get("hooks") == {}:
        return ("hooks",)
    return tuple(f"hooks.{name}" for name, groups in events(settings, form).items() if not groups)


def programs(settings: Json, form: Form) -> Iterator[tuple[str, str]]:
    """Yield event and shim path of each entry of ours."""
    for name, ours in own(settings, form).items():
        yield from ((name, path) for hook in ours if (path := form.program(hook)))


def own(settings: Json, form: Form) -> dict[str, list[Json]]:
    """Return our entries, by event; an event that holds none is left out."""
    found = {
        name: [hook for group in groups for hook in group["hooks"] if form.program(hook)]
        for name, groups in events(settings, form).items()
    }
    return {name: ours for name, ours in found.items() if ours}


def changes(before: Json, after: Json, form: Form) -> Changes:
    """Return whose entries of ours differ between two settings."""
    old, new = own(before, form), own(after, form)
    return Changes(
        put_in=[name for name in new if name not in old],
        renewed=[name for name in new if name in old and new[name] != old[name]],
        taken_out=[name for name in old if name not in new],
    )


def ours_in(groups: list[Json], form: Form) -> list[str]:
    """Return the matcher of each group that holds an entry of ours."""
    return [matcher(group) for group in groups if any(map(form.program, group["hooks"]))]


def matcher(group: Json) -> str:
    """Return a group's matcher; absent, empty and "*" all mean every one to the clients."""
    return str(group.get("matcher") or "*")


def events(settings: Json, form: Form) -> dict[str, list[Json]]:
    """Return the matcher groups of each event; raise ShapeError where they are not readable."""
    hooks = shaped(shaped(settings, dict, "the top level").get("hooks", {}), dict, "hooks")
    found = {
        name: shaped(groups, list, f"hooks.{name}")
        for name, groups in hooks.items()
        # The clients ignore names that they do not know, so people keep comments under them.
        if name in form.events or isinstance(groups, list)
    }
    for name, groups in found.items():
        for at, group in enumerate(groups):
            _check(group, f"hooks.{name}[{at}]")
    return found


def shaped(value: Any, kind: type, path: str) -> Any:
    """Return a value if it is of this kind. Raise ShapeError that names its key path."""
    if isinstance(value, kind):
        return value
    words = {dict: "an object", list: "a list", str: "text", bool: "true or false"}
    found = "missing or null" if value is None else words.get(type(value), "a number")
    raise ShapeError(f"{path} must be {words[kind]}, but is {found}")


def _check(group: Any, path: str) -> None:
    hooks = shaped(group, dict, path).get("hooks")
    for at, hook in enumerate(shaped(hooks, list, f"{path}.hooks")):
        shaped(hook, dict, f"{path}.hooks[{at}]")


def _with(settings: Json, hooks: Json, kept: Collection[str] = ()) -> Json:
    if hooks or settings.get("hooks") == {} or "hooks" in kept:
        return settings | {"hooks": hooks}
    return {key: value for key, value in settings.items() if key != "hooks"}


def _swept(
    settings: Json, form: Form, entries: Mapping[str, Json], kept: Collection[str] = ()
) -> Json:
    """Return the hooks object with our entries renewed from `entries`, or gone."""
    known, hooks = events(settings, form), {}
    for name, groups in settings.get("hooks", {}).items():
        left = _renewed(name, groups, entries.get(name), form) if name in known else groups
        if left or not groups or f"hooks.{name}" in kept:
            hooks[name] = left
    return hooks


def _renewed(name: str, groups: list[Json], new: Json | None, form: Form) -> list[Json]:
    """Return the groups with `new` for our entry, once for each matcher, or without it."""
    done, result = set(), []
    for group in groups:
        hooks: list[Json] = []
        for hook in group["hooks"]:
            if not form.program(hook):
                hooks.append(hook)
            elif new and matcher(group) not in done:
                done.add(matcher(group))
                hooks.append(form.renewed(name, hook, new))
        result.append(group | {"hooks": hooks})
    pairs = list(zip(groups, result, strict=True))
    last = max((at for at, group in enumerate(result) if group["hooks"]), default=-1)
    return [
        group
        for at, (old, group) in enumerate(pairs)
        if group["hooks"] or not old["hooks"] or (form.positional and at < last)
    ]
