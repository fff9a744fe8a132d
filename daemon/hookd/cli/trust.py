"""The home of `hookd trust`: whether hooks that stand in a project's own files may run."""

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hookd.cli import hook_files, hook_rows, table
from hookd.cli.client import Refused, call
from hookd.cli.problem import Problem

if TYPE_CHECKING:
    from hookd.core.commands.entry import Hook
    from hookd.core.commands.parse import Parsed

_NONE = "This project has no hooks of its own: there is nothing to trust."


@click.command(
    epilog="""\b
    Examples:
      hookd trust                      shows what would run here, and asks
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
@click.option("--remove", is_flag=True, help="Trust it no more: its hooks are listed only.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def trust(folder: Path | None, yes: bool, remove: bool, as_json: bool) -> None:
    """Let the hooks run that stand in a project's own files.

    Whoever can write these files decides what runs on your machine. Trust is in exactly what they
    hold now: after a change by anybody else it is asked for again. What the programs that they name
    hold is not part of it.
    """
    root = hook_files.project(folder)
    if remove:
        told = call("commands.distrust", {"root": root})
        _say(f"The hooks of {table.cell(root)} do not run any more.", told, as_json)
        return
    found = call("commands.list", {"root": root})
    if found["digest"] is None:
        if found["trusted"] is False:
            raise _unreadable(root, found)
        _say(_NONE, {"root": root, "digest": None}, as_json)
        return
    if found["trusted"]:
        told = {"root": root, "digest": found["digest"]}
        _say(f"{table.cell(root)} is trusted already, with what its files hold now.", told, as_json)
        return
    if not yes:
        if as_json:
            raise click.UsageError("--json asks nobody: look at them, then add --yes.")
        _ask(root, found["digest"])
    told = _trusted(root, found["digest"])
    _say(f"The hooks of {table.cell(root)} run from now on.", told, as_json)


def _ask(root: str, digest: str) -> None:
    """Show what would run, and go on only by a yes."""
    if not sys.stdin.isatty():
        sentence = "There is nobody to ask: standard input is no terminal."
        step = hook_files.typed("hookd", "hooks", "list", "--project", root)
        raise Problem(sentence, f"look at them: {step}; then add --yes")
    for part in _shown(root, digest):
        hooks, path = part.hooks, hook_rows.short(part.place.path, root)
        click.echo(f"{table.cell(path)}:")
        for line in (line for hook in hooks for line in _told(hook)):
            click.echo(f"  {line}")
        if part.disable:
            click.echo(f"  switches off: {', '.join(map(table.cell, part.disable))}")
        for key, value in (part.policies or {}).items():
            click.echo(f"  policies, {table.cell(key)}: {table.cell(json.dumps(value))}")
        hook_rows.tell(map(asdict, part.problems))
    click.confirm(f"Let them run whenever Claude Code works in {table.cell(root)}?", abort=True)


def _shown(root: str, digest: str) -> "Iterator[Parsed]":
    """Yield what the files say that have this digest: nothing else is agreed to."""
    from hookd.cli import hook_sheets  # noqa: PLC0415 - it imports the daemon's parts
    from hookd.files import hooks as sheets  # noqa: PLC0415

    found = hook_sheets.read(root)
    if sheets.digest(found) != digest:
        raise _stale(root)
    said = (hook_sheets.parsed(sheet) for sheet in found)
    return (one for one in said if one is not None and (not one.silent or one.problems))


def _told(hook: "Hook") -> Iterator[str]:
    """Yield what there is to know of a hook before it runs, in full: a table would cut it."""
    matched = " if ".join(filter(None, (hook.matcher or "*", hook.condition)))
    yield table.cell(f"{hook.event} ({matched}): {hook.action}")
    if hook.inherit_env:
        yield "    it is given the whole environment"
    if hook.headers or hook.allowed_env:
        names = ", ".join((*(name for name, _ in hook.headers), *hook.allowed_env))
        yield table.cell(f"    it is sent with: {names}")


def _unreadable(root: str, found: Any) -> Problem:
    """Return what to tell where a file cannot be read, so that nobody can know what is trusted."""
    hook_rows.tell(one for one in found["problems"] if one["path"].startswith(f"{root}/"))
    sentence = "Not all of the project's files of hooks can be read, so none can be trusted."
    return Problem(sentence, "mend them, or take them away; then run the command again")


def _stale(root: str) -> Problem:
    sentence = "The files have changed since they were looked at."
    return Problem(sentence, f"look again: {hook_files.typed('hookd', 'trust', root)}")


def _trusted(root: str, digest: str) -> Any:
    try:
        return call("commands.trust", {"root": root, "digest": digest})
    except Refused as refused:
        if refused.code != "STALE":
            raise
        raise _stale(root) from None


def _say(sentence: str, told: Any, as_json: bool) -> None:
    if as_json:
        table.show_json(told)
    else:
        click.echo(sentence)
