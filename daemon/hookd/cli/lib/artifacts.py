"""Artifacts of efforts: files of a task's folder whose names begin with an ordinal and `_`."""

import re
from collections.abc import Sequence
from pathlib import Path

import click

from hookd.cli.lib import output
from hookd.cli.lib.errors import Problem

_ARTIFACT = re.compile(r"(\d+)_.+", re.ASCII | re.DOTALL)


def absolute(folder: str) -> str:
    """Return a folder's real path. Raise Problem if it is empty or cannot be resolved."""
    try:
        if folder.strip() and "\0" not in folder:
            return str(Path(folder).expanduser().resolve())
    except (OSError, RuntimeError) as error:
        raise Problem(f"{folder} cannot be resolved: {error}.", "give another folder") from None
    raise Problem("The task is missing: it is a folder.", "hookd task list shows the known ones")


def names(folder: str, ordinal: int | None = None) -> list[str]:
    """Return the names of the artifacts in a folder, by ordinal; of one effort with `ordinal`.

    A missing or unreadable folder has none.
    """
    try:
        files = [file.name for file in Path(folder).iterdir() if file.is_file()]
    except OSError:
        return []
    numbered = ((_ARTIFACT.fullmatch(name), name) for name in files)
    artifacts = [(int(match[1]), name) for match, name in numbered if match]
    return [name for number, name in sorted(artifacts) if ordinal in (None, number)]


def show(folder: str, files: Sequence[str]) -> None:
    """Print the names of files, with their folder."""
    if files:
        click.echo(f"\nin {output.cell(folder)}")
        for name in files:
            click.echo(f"  {output.cell(name)}")
