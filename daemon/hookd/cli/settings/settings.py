"""`hookd settings`: check settings files, and print their JSON Schema."""

from pathlib import Path

import click

from hookd.cli.hooks import own_files
from hookd.cli.lib import output
from hookd.cli.lib.groups import Commands
from hookd.cli.lib.options import json_option, project_dir_option


@click.group(
    cls=Commands,
    epilog="""\b
    Examples:
      hookd settings check
      hookd settings schema > settings.schema.json
    """,
)
def settings() -> None:
    """Check settings files, and print their JSON Schema."""


@settings.command(
    epilog="""\b
    Examples:
      hookd settings schema
      hookd settings schema > ~/.config/hookd/settings.schema.json
    """
)
def schema() -> None:
    """Print the JSON Schema of hookd's settings, for editors.

    A settings file names it in its key `$schema`.
    """
    from hookd.cli.settings.check import whole_schema  # noqa: PLC0415 - it imports pydantic

    output.show_json(whole_schema())


@settings.command(
    epilog="""\b
    Examples:
      hookd settings check
      hookd settings check .hookd/settings.json
      hookd settings check --json | jq '.[] | select(.fatal)'
    """
)
@click.argument(
    "files",
    nargs=-1,
    metavar="[FILE]...",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
)
@project_dir_option(former="--project")
@json_option("Print a JSON list.")
@click.pass_context
def check(
    ctx: click.Context, files: tuple[Path, ...], project_dir: Path | None, as_json: bool
) -> None:
    """Check settings files: FILE, or those that apply here.

    It prints each problem with its line and key. Exit code 1: there is an error. Notes are about
    valid settings that may be unintended.
    """
    from hookd.cli.settings import check as settings_check  # noqa: PLC0415 - it imports pydantic

    found = settings_check.checked(files, own_files.project(project_dir))
    problems = [problem for one in found for problem in one.problems]
    if as_json:
        output.show_json([vars(problem) for problem in problems])
    else:
        for one in problems:
            mark = "error" if one.fatal else "note"
            where = f"{own_files.in_home(one.path)}:{one.line}"
            click.echo(output.cell(": ".join(filter(None, (where, mark, one.key, one.sentence)))))
        if not problems:
            named = ", ".join(own_files.in_home(one.path) for one in found)
            click.echo(f"Nothing is wrong with {named}." if found else "There are no settings.")
    ctx.exit(int(any(one.fatal for one in problems)))
