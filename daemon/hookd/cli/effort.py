"""The home of `hookd effort`: the work in hand, one invocation of a skill on a task at a time."""

from pathlib import Path
from typing import Any

import click

from hookd.cli import table
from hookd.cli.client import call
from hookd.cli.problem import Problem
from hookd.cli.table import Column, moment

_EMPTY = "No efforts yet. Start one: hookd effort start TASK_DIR SKILL"
_IDLE = "No effort is active. Start one: hookd effort start TASK_DIR SKILL"
_STYLES = {"active": "green", "finished": "dim"}
_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
_COUNT = click.IntRange(min=0)


@click.group(
    epilog="""\b
    Examples:
      hookd effort start tasks/pagination implement
      hookd effort list
      hookd effort finish
    """
)
def effort() -> None:
    """Start, show and finish efforts: a skill at work on a task."""


@effort.command(
    epilog="""\b
    Examples:
      hookd effort start tasks/pagination implement
      hookd effort start tasks/pagination review --mode deep --title 'Pages of orders'
      hookd effort start tasks/pagination test --warn-after 20 --block-after 40
    """
)
@click.argument("task_dir")
@click.argument("skill")
@click.option("--mode", metavar="MODE", help="How the skill works, where it has modes.")
@click.option("--title", metavar="TEXT", help="What the task is called, where it is new.")
@click.option("--warn-after", type=_COUNT, metavar="N", help="Ask for a log entry after N calls.")
@click.option("--block-after", type=_COUNT, metavar="N", help="Insist on it after N calls.")
@_JSON
def start(task_dir: str, skill: str, as_json: bool, **options: Any) -> None:
    """Start an effort on the task in TASK_DIR, a folder.

    Your session works on it from now on; outside of one, the project's open sessions do.
    """
    if not task_dir.strip():
        raise Problem("TASK_DIR is empty.", "hookd effort start tasks/pagination implement")
    limits = {"warnAfter": options["warn_after"], "blockAfter": options["block_after"]}
    params = {
        "taskDir": str(_absolute(task_dir)),
        "skill": skill,
        **_known({"mode": options["mode"], "title": options["title"]}),
        "metadata": _known(limits),
    }
    result = call("effort.start", params)
    if as_json:
        table.show_json(result)
        return
    facts = {"task": result["taskDir"], "log": result["logPath"]}
    steps = {
        "next": "hookd log TEXT, while it lasts",
        "end": f"hookd effort finish {result['effortId']}",
    }
    table.show_facts(facts | steps, f"Effort {result['effortId']} is active: {skill}.")


@effort.command(
    name="list",
    epilog="""\b
    Examples:
      hookd effort list          what is active
      hookd effort list --all    what is finished, too
      hookd effort list --json
    """,
)
@click.option("--all", "everything", is_flag=True, help="The finished ones, too.")
@click.option("--limit", type=click.IntRange(min=1), default=50, show_default=True, metavar="N")
@_JSON
def list_(everything: bool, limit: int, as_json: bool) -> None:
    """List the active efforts, newest first."""
    which = {} if everything else {"lifecycle": "active"}
    efforts = call("effort.list", {**which, "limit": limit})["efforts"]
    columns = [
        Column("id", "id", firm=True, right=True),
        Column("skill", "skill", firm=True),
        Column("state", "lifecycle", firm=True, styles=_STYLES),
        Column("phase", "currentPhase"),
        Column("agent", "agent"),
        Column("heartbeat", "heartbeatCounter", firm=True, right=True),
        moment("started", "createdAt"),
        Column("task", "task"),
    ]
    table.show(efforts, columns, as_json=as_json, empty=_EMPTY if everything else _IDLE)


@effort.command(
    name="show",
    epilog="""\b
    Examples:
      hookd effort show 3
      hookd effort show 3 --json
    """,
)
@click.argument("number", metavar="ID", type=click.IntRange(min=1))
@_JSON
def show(number: int, as_json: bool) -> None:
    """Show what is known of one effort."""
    efforts = call("effort.list", {"id": number})["efforts"]
    if not efforts:
        raise Problem(f"There is no effort {number}.", "hookd effort list --all")
    if as_json:
        table.show_json(efforts[0])
    else:
        table.show_facts(efforts[0], f"Effort {number}")


@effort.command(
    epilog="""\b
    Examples:
      hookd effort finish      your own
      hookd effort finish 3
    """
)
@click.argument("number", metavar="[ID]", type=click.IntRange(min=1), required=False)
@_JSON
def finish(number: int | None, as_json: bool) -> None:
    """Finish an effort: agents and sessions let go of it."""
    result = call("effort.finish", _known({"effortId": number}))
    if as_json:
        table.show_json(result)
        return
    task = result["taskDir"]
    click.echo(f"Effort {result['effortId']} is finished: {result['skill']} on {task}.")


def _absolute(folder: str) -> Path:
    try:
        return Path(folder).expanduser().resolve()
    except (OSError, RuntimeError) as error:
        raise Problem(f"{folder} cannot be resolved: {error}.", "give another folder") from None


def _known(params: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in params.items() if value is not None}
