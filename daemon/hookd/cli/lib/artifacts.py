"""The home of what efforts leave in a task's folder: files that begin with an ordinal and `_`."""

import re
from collections.abc import Sequence
from pathlib import Path

import click

from hookd.cli.lib import output
from hookd.cli.lib.errors import Problem

_ARTIFACT = re.compile(r"(\d+)_.+", re.ASCII | re.DOTALL)


def absolute(folder: str) -> str:
    """Return a folder's own name: absolute, with its links followed."""
    try:
        if folder.strip() and "\0" not in folder:
            return str(Path(folder).expanduser().resolve())
    except (OSError, RuntimeError) as error:
        raise Problem(f"{folder} cannot be resolved: {error}.", "give another folder") from None
    raise Problem("A task is a folder, and none was given.", "hookd task list shows the known ones")


def names(folder: str, ordinal: int | None = None) -> list[str]:
    """Return the names of the files that efforts left, or one of them did, in their order.

    A folder that is not there, or not to be read, has none.
    """
    try:
        found = [one.name for one in Path(folder).iterdir() if one.is_file()]
    except OSError:
        return []
    numbered = ((_ARTIFACT.fullmatch(name), name) for name in found)
    kept = [(int(match[1]), name) for match, name in numbered if match]
    return [name for number, name in sorted(kept) if ordinal in (None, number)]


def show(folder: str, files: Sequence[str]) -> None:
    """Print them, with their folder."""
    if files:
        click.echo(f"\nin {output.cell(folder)}")
        for name in files:
            click.echo(f"  {output.cell(name)}")
