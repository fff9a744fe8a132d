"""The home of `hookd trust`: whether what stands in a project's own files may hold.

That is the hooks that they name, and what they say of policies.
"""

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hookd.cli.hooks import format as hook_rows
from hookd.cli.hooks import own_files, project_files
from hookd.cli.install import deadlines
from hookd.cli.lib import output
from hookd.cli.lib.client import Refused, call
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.person import for_person

if TYPE_CHECKING:
    from hookd.core.hook_rules.model import Hook
    from hookd.core.hook_rules.parse import ParsedHooks

_NONE = (
    "This project has no hooks of its own and says nothing of policies: there is nothing to trust."
)


@click.command(
    epilog="""\b
    Examples:
      hookd trust                      shows what would run and hold here, and asks
      hookd trust ~/work/orders --yes  for scripts that know what they trust
      hookd trust --remove
    """
)
@click.argument(
    "folder",
    metavar="[DIR]",
    required=False,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
)
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option(
    "--remove", is_flag=True, help="Trust it no more: its hooks and policies do not hold."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@for_person
def trust(folder: Path | None, yes: bool, remove: bool, as_json: bool) -> None:
    """Let what stands in a project's own files hold: its hooks, and its settings of policies.

    Whoever can write these files decides what runs on your machine, and which policies guard it
    here. Trust is in exactly what they hold now: after a change by anybody else it is asked for
    again. What the programs that they name hold is not part of it.
    """
    root = own_files.project(folder)
    if remove:
        told = call("userHooks.untrust", {"root": root})
        shown = output.cell(root)
        said = f"{shown} is not trusted any more: its hooks and policies do not hold."
        _say(said, told, as_json)
        return
    found = call("userHooks.list", {"root": root})
    if found["digest"] is None:
        if found["trusted"] is False:
            raise _unreadable(root, found)
        _say(_NONE, {"root": root, "digest": None}, as_json)
        return
    if found["trusted"]:
        told = {"root": root, "digest": found["digest"]}
        _say(
            f"{output.cell(root)} is trusted already, with what its files hold now.", told, as_json
        )
        return
    if not yes:
        if as_json:
            raise click.UsageError("--json asks nobody: look at them, then add --yes.")
        _ask(root, found["digest"])
    told = _trusted(root, found["digest"])
    deadlines.grow(root)
    if yes and not as_json:
        _tell_policies(root, found["digest"])
        _tell_faults(root)
    _say(f"What {output.cell(root)} says of hooks and policies holds from now on.", told, as_json)


def _ask(root: str, digest: str) -> None:
    """Show what would run, and go on only by a yes."""
    if not sys.stdin.isatty():
        sentence = "There is nobody to ask: standard input is no terminal."
        step = own_files.typed("hookd", "hooks", "list", "--project", root)
        raise Problem(sentence, f"look at them: {step}; then add --yes")
    for part in _shown(root, digest):
        hooks, path = part.hooks, hook_rows.short(part.place.path, root)
        click.echo(f"{output.cell(path)}:")
        for line in (line for hook in hooks for line in _told(hook)):
            click.echo(f"  {line}")
        if part.disabled_ids:
            click.echo(f"  switches off: {', '.join(map(output.cell, part.disabled_ids))}")
        for key, value in (part.policies or {}).items():
            click.echo(f"  policies, {output.cell(key)}: {output.cell(json.dumps(value))}")
    _tell_policies(root, digest)
    _tell_faults(root)
    shown = output.cell(root)
    if not click.confirm(f"Let all of that hold whenever Claude Code works in {shown}?"):
        raise Problem(f"{root} is not trusted: nothing of its own holds.", "")


def _tell_policies(root: str, digest: str) -> None:
    """Say what becomes of each policy in a project once it is trusted, a line each."""
    from hookd.cli.policies import effective  # noqa: PLC0415 - it imports the daemon's parts

    before = effective.read(root).choices
    after = effective.read(root, trusted={root: digest}).choices
    for name, choice in after.items():
        old, new = (one.options.model_dump(mode="json") for one in (before[name], choice))
        if new["mode"] != old["mode"]:
            click.echo(f"  {name} is {new['mode']} here, instead of {old['mode']}")
        for key in (key for key in new if key != "mode" and new[key] != old[key]):
            values = (json.dumps(one[key], ensure_ascii=False) for one in (new, old))
            click.echo(output.cell(f"  {name}: {key} is {' here, instead of '.join(values)}"))


def _tell_faults(root: str) -> None:
    """Say what is wrong with a project's files, on stderr."""
    from hookd.cli.settings import check  # noqa: PLC0415 - the daemon's parts

    named = tuple(Path(sheet.place.path) for sheet in project_files.read(root))
    for checked in check.checked(named, root) if named else ():
        hook_rows.tell(map(asdict, checked.problems))


def _shown(root: str, digest: str) -> "Iterator[ParsedHooks]":
    """Yield what the files say that have this digest: nothing else is agreed to."""
    from hookd.user_hooks import files  # noqa: PLC0415 - it imports the daemon's parts

    found = project_files.read(root)
    if files.digest(found) != digest:
        raise _stale(root)
    said = (project_files.parsed(sheet) for sheet in found)
    return (one for one in said if one is not None and (not one.is_empty or one.problems))


def _told(hook: "Hook") -> Iterator[str]:
    """Yield what there is to know of a hook before it runs, in full: a table would cut it."""
    matched = " if ".join(filter(None, (hook.matcher or "*", hook.condition)))
    yield output.cell(f"{hook.event} ({matched}): {hook.action}")
    if hook.inherit_env:
        yield "    it is given the whole environment"
    if hook.headers or hook.allowed_env:
        names = ", ".join((*(name for name, _ in hook.headers), *hook.allowed_env))
        yield output.cell(f"    it is sent with: {names}")


def _unreadable(root: str, found: Any) -> Problem:
    """Return what to tell where a file cannot be read, so that nobody can know what is trusted."""
    hook_rows.tell(one for one in found["problems"] if one["path"].startswith(f"{root}/"))
    sentence = "Not all of the project's own files can be read, so none can be trusted."
    return Problem(sentence, "mend them, or take them away; then run the command again")


def _stale(root: str) -> Problem:
    sentence = "The files have changed since they were looked at."
    return Problem(sentence, f"look again: {own_files.typed('hookd', 'trust', root)}")


def _trusted(root: str, digest: str) -> Any:
    try:
        return call("userHooks.trust", {"root": root, "digest": digest})
    except Refused as refused:
        if refused.code != "STALE":
            raise
        raise _stale(root) from None


def _say(sentence: str, told: Any, as_json: bool) -> None:
    if as_json:
        output.show_json(told)
    else:
        click.echo(sentence)
