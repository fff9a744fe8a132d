"""Write hookd's own hook files, and keep the trust that a project's files have.

A person who writes through hookd agrees to that change, and to nothing else. This is apart from
project_files.py, which install/deadlines.py imports.
"""

from typing import Any, NamedTuple

import click

from hookd.cli.hooks import project_files
from hookd.cli.hooks.own_files import OwnFile, typed
from hookd.cli.install import deadlines
from hookd.cli.lib.client import call
from hookd.cli.lib.errors import Problem


class Written(NamedTuple):
    """Whether a file changed, and whether its content may run now."""

    changed: bool
    runs: bool


def write(file: OwnFile, value: dict[str, Any], *, backup: bool = False) -> Written:
    """Write `value` to a file.

    If the project's files were trusted as a whole, or configured nothing, the new content is
    trusted, too. Changes that another process made meanwhile are not. Registered deadlines grow
    with the timeouts of the hooks that may run now.
    """
    written = _write(file, value, backup=backup)
    if written.changed and written.runs:
        deadlines.grow(file.root)
    return written


def _write(file: OwnFile, value: dict[str, Any], *, backup: bool) -> Written:
    if file.scope == "user":
        return Written(file.write(value, backup=backup), runs=True)
    from hookd.user_hooks import files  # noqa: PLC0415 - it imports the daemon's parts

    before = project_files.read(file.root)
    after = project_files.with_changed(before, file.sheet(value))
    unchanged = {one.place.path: one.text for one in before}.get(file.source) == file.document.raw
    digest = {file.root: files.digest(before)}
    trusted = project_files.trusted_digests(file.root).items() >= digest.items()
    if not file.write(value, backup=backup):
        return Written(changed=False, runs=trusted)
    for note in file.notes():
        click.echo(f"hookd: note: {note}", err=True)
    if project_files.silent(after):
        if trusted and unchanged:  # nothing is left that was trusted
            call("userHooks.untrust", {"root": file.root})
        return Written(changed=True, runs=True)
    agreed = unchanged and (trusted or project_files.silent(before))
    if agreed and _trust(file.root, files.digest(after)):
        return Written(changed=True, runs=True)
    step = typed("hookd", "trust", file.root)
    note = "the project's own files are not trusted, and do not apply yet"
    click.echo(f"hookd: note: {note}: {step}", err=True)
    return Written(changed=True, runs=False)


def _trust(root: str, digest: str) -> bool:
    try:
        call("userHooks.trust", {"root": root, "digest": digest})
    except Problem:
        return False
    return True
