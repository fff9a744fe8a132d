"""The home of finding a hook by its id: in hookd's own files, or wherever it stands."""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import TYPE_CHECKING

from hookd.cli.hooks import project_files
from hookd.cli.hooks.own_files import OWNERS, Owner, OwnFile, place, typed
from hookd.cli.hooks.own_files import read as read_file
from hookd.cli.lib.errors import Problem

if TYPE_CHECKING:
    from hookd.core.hook_rules.model import Hook

LIST = "hookd hooks list, which shows their ids"


def files(root: str, owners: Iterable[Owner]) -> tuple[list[OwnFile], list[Problem]]:
    """Return hookd's own files, the strongest first, and why others of them cannot be read.

    A project's may be a stranger's: what is wrong with it is no reason to leave yours alone.
    """
    found, unread = [], []
    for owner in reversed(tuple(owners)):
        try:
            found.append(read_file(owner, root))
        except Problem as problem:
            unread.append(problem)
    return found, unread


def owned(name: str, root: str, owners: Iterable[Owner]) -> tuple[OwnFile, "Hook"]:
    """Return the one file of hookd's own that holds a hook, and the hook."""
    found = []
    readable, unread = files(root, owners)
    for file in readable:
        parsed = file.parsed
        found += [
            (file, hook) for hook in (*parsed.hooks, *parsed.disabled_hooks) if hook.id == name
        ][:1]
    if len(found) == 1:
        return found[0]
    if found:
        where = " and ".join(file.shown for file, _ in found)
        raise Problem(f"{name} stands in {where}.", "say which by --to user, project or local")
    if unread:
        raise unread[0]
    hook, why = standing(name, root)
    own = own_file(hook, root)
    if own is not None and own.owner in owners:
        return own, hook
    if problem := left_to_claude(hook, why):
        raise problem
    step = f"take it out there; only off: {typed('hookd', 'hooks', 'disable', name)}"
    raise Problem(f"{name} stands in {hook.source.path}, which hookd does not write.", step)


def anywhere(name: str, root: str) -> "Hook":
    """Return a hook of any layer by the id that lists show it with."""
    return standing(name, root)[0]


def standing(name: str, root: str) -> tuple["Hook", str]:
    """Return a hook of any layer, and why it does not run; of two of a name, one of hookd's."""
    from hookd.core.hook_rules.layers import CLIENT_RUNS_IT  # noqa: PLC0415

    whole = project_files.effective(root, project_files.trusted_digests(root)).merged
    idle = sorted(
        ((one.hook, one.reason) for one in whole.inactive), key=lambda one: one[1] == CLIENT_RUNS_IT
    )
    found = [*((hook, "") for hook in whole.hooks), *idle]
    for hook, why in found:
        if hook.id == name:
            return hook, why
    near = get_close_matches(name, [hook.id for hook, _ in found], n=1)
    hint = f" Did you mean {near[0]}?" if near else ""
    raise Problem(f"There is no hook {name!r}.{hint}", LIST)


def left_to_claude(hook: "Hook", why: str) -> Problem | None:
    """Return what to tell of a hook that Claude Code runs itself; None where it is another's."""
    from hookd.core.hook_rules.layers import CLIENT_RUNS_IT  # noqa: PLC0415

    if why != CLIENT_RUNS_IT:
        return None
    sentence = f"{hook.id} stands in {hook.source.path}: Claude Code runs it itself, not hookd."
    return Problem(sentence, f"take {hook.source.key} out of that file")


def written(hook: "Hook") -> str:
    """Return the id by which settings can name a hook: of two with one id, lists rename one."""
    from hookd.core.hook_rules.sources import HookFileLocation, dialect_of  # noqa: PLC0415
    from hookd.user_hooks import files as sheets  # noqa: PLC0415

    source = hook.source
    sheet = sheets.read(HookFileLocation(source.layer, source.path, dialect_of(source.path)))
    parsed = project_files.parsed(sheet)
    said = (*parsed.hooks, *parsed.disabled_hooks) if parsed else ()
    same = (one for one in said if one.source.key == source.key)
    return next((one.id for one in same if one.event == hook.event), hook.id)


def own_file(hook: "Hook", root: str) -> OwnFile | None:
    """Return hookd's own file that a hook stands in, None where it is another program's."""
    owners = (one for one in OWNERS if str(place(one, root)) == hook.source.path)
    return next((read_file(owner, root) for owner in owners), None)


def unfit(file: OwnFile, error: Exception) -> Problem:
    """Return what to tell where a file is of a shape that nothing can be written into."""
    step = f"move {file.path} away, then: hookd hooks import the moved one --to {file.owner}"
    return Problem(f"{file.path}: {error}, so no hook can be written into it.", step)
