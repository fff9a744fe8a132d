"""The home of `hookd hooks disable` and `enable`: a hook is switched off, and stays where it is."""

from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hookd.cli.hooks import own_files, write_trusted
from hookd.cli.hooks.find import anywhere, files, left_to_claude, own_file, standing, unfit, written
from hookd.cli.hooks.own_files import OWNERS, Owner, OwnFile, typed
from hookd.cli.lib import output
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.person import for_person

if TYPE_CHECKING:
    from hookd.core.hook_rules.model import Hook

_DEFAULT: dict[str, Owner] = {"user": "user", "local": "local"}
"""Where a hook of hookd's own files is switched off in its own entry. The project's is shared."""

_REACHED: dict[str, tuple[Owner, ...]] = {
    "plugin": ("user", "local"),
    "user": ("local",),
    "project": ("local",),
}
"""Whose `disable` reaches the hooks of a layer."""


@click.command(
    epilog="""\b
    Examples:
      hookd hooks disable lint
      hookd hooks disable lint --to local    in this project alone
    """
)
@click.argument("name", metavar="ID")
@click.option(
    "--to",
    "owner",
    type=click.Choice(("user", "local")),
    help="Whose `disable` names it.  [default: what switches it off everywhere it holds for you]",
)
@own_files.project_option
@for_person
def disable(name: str, owner: Owner | None, folder: Path | None) -> None:
    """Switch a hook off, and keep it.

    A file switches off hooks of weaker layers; one of its own layer says so in its own entry.
    """
    from hookd.core.hook_rules import edit  # noqa: PLC0415 - it imports a parser

    root = own_files.project(folder)
    hook, why = standing(name, root)
    if problem := left_to_claude(hook, why):
        raise problem
    layer = hook.source.layer
    own, own_name = own_file(hook, root), written(hook)
    if own is not None and (owner or _DEFAULT.get(layer)) == layer:
        file = own
        value = edit.switched(file.document.value, hook.source.key, on=False)
    else:
        file = own_files.read(_switch(hook, owner), root)
        _expect_alone(hook, own_name, file.owner, root)
        try:
            value = edit.wished(file.document.value, own_name, on=False)
        except edit.UnfitError as error:
            raise unfit(file, error) from None
    changed = write_trusted.write(file, value).changed
    said = f"is off, by {file.shown}" if changed else f"was off already, by {file.shown}"
    click.echo(f"{hook.id}: {said}. On again: hookd hooks enable {own_name}")


@click.command(
    epilog="""\b
    Examples:
      hookd hooks enable lint
    """
)
@click.argument("name", metavar="ID")
@own_files.project_option
@for_person
def enable(name: str, folder: Path | None) -> None:
    """Let a hook run again that was switched off."""
    root = own_files.project(folder)
    readable, unread = files(root, OWNERS)
    changed = [file.shown for file in readable if _enabled(file, name)]
    if changed:
        click.echo(f"{name}: is on again, by {' and '.join(changed)}.")
        return
    hook = anywhere(name, root)
    globs = {
        wish: f"{output.cell(wish)} in {file.shown}"
        for file in readable
        for wish in file.parsed.disable
        if _globs(wish, name)
    }
    if globs:
        steps = " and ".join(typed("hookd", "hooks", "enable", wish) for wish in globs)
        sentence = f"{name} is switched off by {', '.join(globs.values())}."
        raise Problem(sentence, f"{steps}, for all that it is about")
    if unread:
        raise unread[0]
    where = output.cell(hook.source.path)
    click.echo(f"{name}: nothing in hookd's own settings switches it off ({where}).")


def _switch(hook: "Hook", owner: Owner | None) -> Owner:
    """Return whose file can switch a hook off. Raise Problem where none can."""
    layer = hook.source.layer
    by = _REACHED.get(layer, ())
    if not by:
        sentence = f"{hook.id} is of the {layer} layer, which no settings of yours switch off."
        raise Problem(sentence, f"see {hook.source.path}")
    if owner is not None and owner not in by:
        sentence = f"The {owner} settings do not switch off hooks of the {layer} layer."
        raise Problem(sentence, f"hookd hooks disable {hook.id} --to {by[0]}")
    return owner or by[0]


def _expect_alone(hook: "Hook", name: str, owner: Owner, root: str) -> None:
    """Raise Problem where a file that names a hook would switch off another one of that id, too."""
    if name == hook.id:
        return
    other = anywhere(name, root)
    if owner in _REACHED.get(other.source.layer, ()):
        sentence = f"{name} is also the id of a hook in {other.source.path}: both would be off."
        raise Problem(sentence, f"give the one in {hook.source.path} another id, by hand")


def _enabled(file: OwnFile, name: str) -> bool:
    """Take out of a file what switches a hook off; return whether there was anything."""
    from hookd.core.hook_rules import edit  # noqa: PLC0415 - it imports a parser

    try:
        value = edit.wished(file.document.value, name, on=True)
    except edit.UnfitError as error:
        raise unfit(file, error) from None
    for hook in file.parsed.off:
        if hook.id == name:
            value = edit.switched(value, hook.source.key, on=True)
    return write_trusted.write(file, value).changed


def _globs(wish: str, name: str) -> bool:
    return wish != name and fnmatchcase(name, wish)
