"""The home of writing a project's files of hooks without losing the trust that they had.

Who may write hookd's files through hookd has said yes to that change, and to nothing else.
"""

from typing import Any, NamedTuple

import click

from hookd.cli.hooks.own_files import OwnFile, typed
from hookd.cli.install import deadlines
from hookd.cli.lib.client import call
from hookd.cli.lib.errors import Problem


class Written(NamedTuple):
    """Whether that was a change, and whether what the file holds may run now."""

    changed: bool
    runs: bool


def write(file: OwnFile, value: dict[str, Any], *, backup: bool = False) -> Written:
    """Let a file hold `value`.

    Where all that the project had of its own was trusted, or it had nothing, it is trusted anew:
    with what it held before and this change. What somebody else wrote meanwhile is not. What is
    registered with the client grows with the timeouts of the hooks that may run now.
    """
    written = _written(file, value, backup=backup)
    if written.changed and written.runs:
        deadlines.grow(file.root)
    return written


def _written(file: OwnFile, value: dict[str, Any], *, backup: bool) -> Written:
    if file.owner == "user":
        return Written(file.write(value, backup=backup), runs=True)
    from hookd.cli.hooks import effective, project_files  # noqa: PLC0415 - they import the daemon's parts
    from hookd.user_hooks import files  # noqa: PLC0415

    before = project_files.read(file.root)
    after = project_files.put(before, file.sheet(value))
    known = {one.place.path: one.text for one in before}.get(file.source) == file.document.raw
    trusted = effective.trusted_now(file.root) == {file.root: files.digest(before)}
    if not file.write(value, backup=backup):
        return Written(changed=False, runs=trusted)
    for note in file.notes():
        click.echo(f"hookd: note: {note}", err=True)
    if project_files.silent(after):
        if trusted and known:  # nothing is left of what was trusted, and nothing of it holds on
            call("commands.distrust", {"root": file.root})
        return Written(changed=True, runs=True)
    meant = known and (trusted or project_files.silent(before))
    if meant and _trust(file.root, files.digest(after)):
        return Written(changed=True, runs=True)
    step = typed("hookd", "trust", file.root)
    note = "the project's own files are not trusted, and do not hold yet"
    click.echo(f"hookd: note: {note}: {step}", err=True)
    return Written(changed=True, runs=False)


def _trust(root: str, digest: str) -> bool:
    try:
        call("commands.trust", {"root": root, "digest": digest})
    except Problem:
        return False
    return True
