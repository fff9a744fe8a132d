"""`hookd task`: list and show tasks: folders of work, with their efforts."""

import click

from hookd.cli.lib import artifacts, output
from hookd.cli.lib.client import call
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.groups import Commands
from hookd.cli.lib.options import json_option, limit_option
from hookd.cli.lib.output import Column, moment

_EMPTY = "No tasks yet. The first effort makes one: hookd effort start TASK_DIR SKILL"
_JSON = json_option("Print JSON.")


@click.group(
    cls=Commands,
    epilog="""\b
    Examples:
      hookd task list
      hookd task show tasks/pagination
    """,
)
def task() -> None:
    """Show tasks: folders of work.

    A task never finishes; efforts on it do.
    """


@task.command(
    name="list",
    epilog="""\b
    Examples:
      hookd task list
      hookd task list --limit 5 --json
    """,
)
@limit_option()
@_JSON
def list_(limit: int, as_json: bool) -> None:
    """List tasks, the last active first."""
    tasks = call("task.list", {"limit": limit})["tasks"]
    columns = [
        Column("task", "task"),
        Column("title", "title"),
        Column("efforts", "effortCount", firm=True, right=True),
        Column("active", "activeEfforts", firm=True, right=True),
        Column("last skill", "latestSkill"),
        moment("last activity", "lastActivity"),
    ]
    output.show(tasks, columns, as_json=as_json, empty=_EMPTY)


@task.command(
    epilog="""\b
    Examples:
      hookd task show tasks/pagination
      hookd task show . --json
    """
)
@click.argument("folder", metavar="DIR")
@_JSON
def show(folder: str, as_json: bool) -> None:
    """Show the task in DIR: its efforts and their files."""
    path = artifacts.absolute(folder)
    found = call("task.list", {"task": path, "limit": 1})["tasks"]
    if not found:
        raise Problem(f"There is no task in {path}.", "hookd task list")
    efforts = call("effort.list", {"task": path})["efforts"]
    files = artifacts.names(path)
    if as_json:
        output.show_json({**found[0], "efforts": efforts, "artifacts": files})
        return
    output.show_facts({name: value for name, value in found[0].items() if name != "task"}, path)
    columns = [
        Column("effort", "id", firm=True, right=True),
        Column("ordinal", "ordinal", firm=True, right=True),
        Column("skill", "skill"),
        Column("state", "lifecycle", firm=True),
        Column("phase", "currentPhase"),
        moment("started", "createdAt"),
        moment("finished", "finishedAt"),
    ]
    click.echo()
    output.show(efforts, columns, as_json=False, empty="No efforts.")
    artifacts.show(path, files)
