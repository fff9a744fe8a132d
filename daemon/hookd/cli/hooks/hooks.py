"""`hookd hook`: list, add, remove, test and import user hooks."""

from pathlib import Path

import click

from hookd.cli.hooks import format as hook_rows
from hookd.cli.hooks import own_files
from hookd.cli.hooks.edit import add, disable, enable, remove
from hookd.cli.hooks.import_ import import_
from hookd.cli.hooks.log import log
from hookd.cli.hooks.test import test_hooks
from hookd.cli.lib import args, output
from hookd.cli.lib.client import call
from hookd.cli.lib.groups import Commands
from hookd.cli.lib.options import json_option, project_dir_option

_EMPTY = "No user hooks yet. Add one: hookd hook add EVENT COMMAND"


@click.group(
    cls=Commands,
    invoke_without_command=True,
    epilog="""\b
    Examples:
      hookd hook
      hookd hook add PostToolUse 'ruff check "$HOOKD_FILE_PATH" >&2' \\
        --matcher 'Edit|Write' --on-failure block
      hookd hook list
      hookd hook test PostToolUse --tool Edit --input '{"file_path": "/tmp/a.py"}'
      hookd hook log --follow
      hookd hook import .claude/settings.json --scope project
    """,
)
@json_option()
@click.pass_context
def hook(ctx: click.Context, as_json: bool) -> None:
    """Run your own commands on events; list, add and test them."""
    if ctx.invoked_subcommand is None:
        ctx.invoke(list_, as_json=as_json)
    else:
        args.expect_no_options(ctx)


@hook.command(
    name="list",
    epilog="""\b
    Examples:
      hookd hook list
      hookd hook list --project-dir ~/work/orders
      hookd hook list --json | jq '.hooks[] | select(.state == "on")'
    """,
)
@project_dir_option(former="--project")
@json_option()
def list_(project_dir: Path | None, as_json: bool) -> None:
    """List a project's hooks, and why some do not run.

    listed: Claude Code runs it itself, or it belongs to another program. untrusted: it is in a file
    of the project, which `hookd trust` has not trusted yet. A matcher of Edit or Write also matches
    a patch of Codex, whose tool is ApplyPatch.
    """
    root = own_files.project(project_dir)
    listing = call("userHooks.list", {"root": root})
    if as_json:
        output.show_json(listing)
        return
    hook_rows.show(listing["hooks"], root, empty=_EMPTY)
    hook_rows.show_problems(listing["problems"])
    waiting = sum(row["state"] == "untrusted" for row in listing["hooks"])
    if waiting:
        step = own_files.typed("hookd", "trust", root)
        wait = "waits" if waiting == 1 else "wait"
        click.echo(f"hookd: {waiting} of them {wait} for your trust; next: {step}", err=True)


for command in (log, test_hooks, add, remove, enable, disable, import_):
    hook.add_command(command)
