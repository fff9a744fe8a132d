"""The home of `hookd hooks`: the commands that you let run on events. Here: which there are."""

from pathlib import Path

import click

from hookd.cli.hooks import format as hook_rows
from hookd.cli.hooks import own_files
from hookd.cli.hooks.edit import add, disable, enable, remove
from hookd.cli.hooks.import_ import import_
from hookd.cli.hooks.log import log
from hookd.cli.hooks.test import test_hooks
from hookd.cli.lib import output
from hookd.cli.lib.client import call

_EMPTY = "No hooks of your own. Let one run: hookd hooks add EVENT COMMAND"


@click.group(
    invoke_without_command=True,
    epilog="""\b
    Examples:
      hookd hooks
      hookd hooks add PostToolUse 'ruff check "$HOOKD_FILE_PATH" >&2' --matcher 'Edit|Write' \\
        --on-failure block
      hookd hooks list
      hookd hooks test PostToolUse --tool Edit --input '{"file_path": "/tmp/a.py"}'
      hookd hooks log --follow
      hookd hooks import .claude/settings.json --to project
    """,
)
@click.pass_context
def hooks(ctx: click.Context) -> None:
    """Let commands of your own run on events. Alone: list the hooks here."""
    if ctx.invoked_subcommand is None:
        ctx.invoke(list_)


@hooks.command(
    name="list",
    epilog="""\b
    Examples:
      hookd hooks list
      hookd hooks list --project ~/work/orders
      hookd hooks list --json | jq '.hooks[] | select(.state == "on")'
    """,
)
@own_files.project_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def list_(folder: Path | None, as_json: bool) -> None:
    """List the hooks that hold in a project, and those that do not, with why.

    listed: Claude Code runs it itself, or it is another program's. untrusted: it stands in a file
    of the project, and nobody has said `hookd trust`.
    """
    root = own_files.project(folder)
    found = call("userHooks.list", {"root": root})
    if as_json:
        output.show_json(found)
        return
    hook_rows.show(found["hooks"], root, empty=_EMPTY)
    hook_rows.tell(found["problems"])
    held = sum(one["state"] == "untrusted" for one in found["hooks"])
    if held:
        step = own_files.typed("hookd", "trust", root)
        wait = "waits" if held == 1 else "wait"
        click.echo(f"hookd: {held} of them {wait} for your trust; next: {step}", err=True)


for command in (log, test_hooks, add, remove, enable, disable, import_):
    hooks.add_command(command)
