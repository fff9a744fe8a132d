"""The home of `hookd trust`: whether hooks that stand in a project's own files may run."""

import sys
from pathlib import Path
from typing import Any

import click

from hookd.cli import hook_files, hook_rows, table
from hookd.cli.client import Refused, call
from hookd.cli.problem import Problem

_OWN = ("project", "local")
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
    hold now: after a change by anybody else it is asked for again.
    """
    root = hook_files.project(folder)
    if remove:
        told = call("commands.distrust", {"root": root})
        _say(f"The hooks of {root} do not run any more.", told, as_json)
        return
    found = call("commands.list", {"root": root})
    if found["digest"] is None:
        _say(_NONE, {"root": root, "digest": None}, as_json)
        return
    if found["trusted"]:
        told = {"root": root, "digest": found["digest"]}
        _say(f"{root} is trusted already, with what its files hold now.", told, as_json)
        return
    if not yes:
        _ask(root, found)
    _say(f"The hooks of {root} run from now on.", _trusted(root, found["digest"]), as_json)


def _ask(root: str, found: Any) -> None:
    """Show what would run, and go on only by a yes."""
    if not sys.stdin.isatty():
        sentence = "There is nobody to ask: standard input is no terminal."
        raise Problem(sentence, f"look at them: hookd hooks list --project {root}; then add --yes")
    own = [one for one in found["hooks"] if one["layer"] in _OWN and one["state"] == "untrusted"]
    rows = hook_rows.rows(own, root)
    empty = "Its files run nothing, and switch hooks of yours off."
    table.show(rows, hook_rows.COLUMNS, as_json=False, empty=empty)
    hook_rows.tell(found["problems"])
    click.confirm(f"Let them run whenever Claude Code works in {root}?", abort=True)


def _trusted(root: str, digest: str) -> Any:
    try:
        return call("commands.trust", {"root": root, "digest": digest})
    except Refused as refused:
        if refused.code != "STALE":
            raise
        sentence = "The files have changed since they were looked at."
        raise Problem(sentence, f"look again: hookd trust {root}") from None


def _say(sentence: str, told: Any, as_json: bool) -> None:
    if as_json:
        table.show_json(told)
    else:
        click.echo(sentence)
