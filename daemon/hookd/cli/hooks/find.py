"""Find a hook by its id: in hookd's own files, or in the file of any layer."""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import TYPE_CHECKING

from hookd.cli.hooks import project_files
from hookd.cli.hooks.own_files import OwnFile, location, typed
from hookd.cli.hooks.own_files import read as read_file
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.options import SCOPES, Scope

if TYPE_CHECKING:
    from hookd.core.hook_rules.model import Hook

LIST = "hookd hook list, which shows their ids"


def files(root: str, scopes: Iterable[Scope]) -> tuple[list[OwnFile], list[Problem]]:
    """Return hookd's own files, the strongest first, and why others cannot be read.

    A broken file of the project does not keep the user's from being edited.
    """
    readable, unread = [], []
    for scope in reversed(tuple(scopes)):
        try:
            readable.append(read_file(scope, root))
        except Problem as problem:
            unread.append(problem)
    return readable, unread


def owned(name: str, root: str, scopes: Iterable[Scope]) -> tuple[OwnFile, "Hook"]:
    """Return the one file of hookd's own that has a hook, and the hook. Raise Problem if none."""
    found = []
    readable, unread = files(root, scopes)
    for file in readable:
        parsed = file.parsed
        found += [
            (file, hook) for hook in (*parsed.hooks, *parsed.disabled_hooks) if hook.id == name
        ][:1]
    if len(found) == 1:
        return found[0]
    if found:
        where = " and ".join(file.shown for file, _ in found)
        raise Problem(f"{name} is in {where}.", "choose one: --scope user, project or local")
    if unread:
        raise unread[0]
    hook, why = any_layer(name, root)
    own = own_file(hook, root)
    if own is not None and own.scope in scopes:
        return own, hook
    if problem := left_to_claude(hook, why):
        raise problem
    step = f"remove it there; only switch it off: {typed('hookd', 'hooks', 'disable', name)}"
    raise Problem(f"{name} is in {hook.source.path}, which hookd does not write.", step)


def any_layer(name: str, root: str) -> tuple["Hook", str]:
    """Return a hook of any layer by its id in lists, and why it does not run ("" if it does).

    Of two hooks with one id, that of hookd's own files is returned. Raise Problem if there is none.
    """
    from hookd.core.hook_rules.layers import CLIENT_RUNS_IT  # noqa: PLC0415 - it imports a parser

    merged = project_files.effective(root, project_files.trusted_digests(root)).merged
    idle = sorted(
        ((row.hook, row.reason) for row in merged.inactive),
        key=lambda row: row[1] == CLIENT_RUNS_IT,
    )
    hooks = [*((hook, "") for hook in merged.hooks), *idle]
    for hook, why in hooks:
        if hook.id == name:
            return hook, why
    near = get_close_matches(name, [hook.id for hook, _ in hooks], n=1)
    hint = f" Did you mean {near[0]}?" if near else ""
    raise Problem(f"There is no hook {name!r}.{hint}", LIST)


def left_to_claude(hook: "Hook", why: str) -> Problem | None:
    """Return the error for a hook that Claude Code runs itself, None for any other."""
    from hookd.core.hook_rules.layers import CLIENT_RUNS_IT  # noqa: PLC0415 - it imports a parser

    if why != CLIENT_RUNS_IT:
        return None
    sentence = f"{hook.id} is in {hook.source.path}: Claude Code runs it itself, not hookd."
    return Problem(sentence, f"remove {hook.source.key} from that file")


def id_in_file(hook: "Hook") -> str:
    """Return the id by which settings can name a hook: lists rename one of two with the same id."""
    from hookd.core.hook_rules.sources import HookFileLocation, dialect_of  # noqa: PLC0415
    from hookd.user_hooks.files import read as read_any  # noqa: PLC0415 - it imports the daemon's parts

    source = hook.source
    file = read_any(HookFileLocation(source.layer, source.path, dialect_of(source.path)))
    parsed = project_files.parsed(file)
    hooks = (*parsed.hooks, *parsed.disabled_hooks) if parsed else ()
    same = (other for other in hooks if other.source.key == source.key)
    return next((other.id for other in same if other.event == hook.event), hook.id)


def own_file(hook: "Hook", root: str) -> OwnFile | None:
    """Return hookd's own file that has a hook, None if it is another program's."""
    scopes = (scope for scope in SCOPES if str(location(scope, root)) == hook.source.path)
    return next((read_file(scope, root) for scope in scopes), None)


def unfit(file: OwnFile, error: Exception) -> Problem:
    """Return the error for a file whose shape does not allow a hook to be written."""
    step = f"move {file.path} away, then: hookd hook import the moved one --scope {file.scope}"
    return Problem(f"{file.path}: {error}, so no hook can be written into it.", step)
