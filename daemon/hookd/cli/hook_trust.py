"""The home of writing a project's files of hooks without losing the trust that they had.

Who may write hookd's files through hookd has said yes to that change, and to nothing else.
"""

from typing import Any

import click

from hookd.cli.client import call
from hookd.cli.hook_files import OwnFile
from hookd.cli.problem import Problem


def write(file: OwnFile, value: dict[str, Any], *, backup: bool = False) -> bool:
    """Let a file hold `value`; return whether that is a change.

    Where all that the project had of its own was trusted, or it had nothing, it is trusted anew.
    """
    if file.owner == "user":
        return file.write(value, backup=backup)
    from hookd.cli import hook_page  # noqa: PLC0415 - it imports the daemon's parts

    before = hook_page.read(file.root)
    meant = before.digest is None or hook_page.trusted_now(file.root) == {file.root: before.digest}
    if not file.write(value, backup=backup):
        return False
    for note in file.notes():
        click.echo(f"hookd: note: {note}", err=True)
    after = hook_page.read(file.root).digest
    if after is not None and not (meant and _trust(file.root, after)):
        click.echo(
            f"hookd: note: the project's own hooks do not run yet: hookd trust {file.root}",
            err=True,
        )
    return True


def _trust(root: str, digest: str) -> bool:
    try:
        call("commands.trust", {"root": root, "digest": digest})
    except Problem:
        return False
    return True
