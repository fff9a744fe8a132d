"""The home of `hookd hooks remove`: a hook less in hookd's own settings."""

from pathlib import Path

import click

from hookd.cli.hooks import find, own_files, write_trusted
from hookd.cli.hooks.own_files import OWNERS, Owner
from hookd.cli.lib.person import for_person


@click.command(
    epilog="""\b
    Examples:
      hookd hooks remove lint
      hookd hooks remove lint --to project
    """
)
@click.argument("name", metavar="ID")
@click.option("--to", "owner", type=click.Choice(OWNERS), help="From this file alone.")
@own_files.project_option
@for_person
def remove(name: str, owner: Owner | None, folder: Path | None) -> None:
    """Take a hook out of hookd's settings."""
    from hookd.core.hook_rules import edit  # noqa: PLC0415 - it imports a parser

    root = own_files.project(folder)
    file, hook = find.owned(name, root, (owner,) if owner else OWNERS)
    write_trusted.write(file, edit.taken_out(file.document.value, hook.source.key))
    click.echo(f"{name}: no longer runs on {hook.event}; taken out of {file.shown}.")
