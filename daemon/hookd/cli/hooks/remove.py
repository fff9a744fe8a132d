"""The home of `hookd hooks remove`: a hook less in hookd's own settings."""

from pathlib import Path

import click

from hookd.cli.hooks import find as hook_found
from hookd.cli.hooks import own_files as hook_files
from hookd.cli.hooks import write_trusted as hook_trust
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
@hook_files.project_option
@for_person
def remove(name: str, owner: Owner | None, folder: Path | None) -> None:
    """Take a hook out of hookd's settings."""
    from hookd.core.hook_rules import edit as writing  # noqa: PLC0415 - it imports a parser

    root = hook_files.project(folder)
    file, hook = hook_found.owned(name, root, (owner,) if owner else OWNERS)
    hook_trust.write(file, writing.taken_out(file.document.value, hook.source.key))
    click.echo(f"{name}: no longer runs on {hook.event}; taken out of {file.shown}.")
