"""The home of `hookd fleet`: who is doing what."""

from pathlib import PurePath

import click

from hookd.cli import fleet_tmux, fleet_watch, table
from hookd.cli.client import call
from hookd.cli.table import Column, moment

_EMPTY = "Nobody is at work. Sessions appear when Claude Code runs with hookd: hookd install"
_STYLES = {
    "error": "bold red",
    "attention": "yellow",
    "working": "green",
    "checked": "cyan",
    "idle": "dim",
    "done": "dim",
}


def _last(folder: str | None) -> str:
    """The last name of a task's folder: a board has no room for paths."""
    return table.text(PurePath(folder or "").name)


COLUMNS = (
    Column("agent", "agent"),
    Column("status", "status", firm=True, styles=_STYLES),
    Column("task", "task", _last, cut=True, least=10),
    Column("skill", "skill"),
    Column("phase", "currentPhase", spare=True),
    Column("heartbeat", "heartbeatCounter", firm=True, right=True, spare=True),
    Column("context", "contextUsage", table.percent, firm=True, right=True),
    Column("told by", "contextSource", spare=True),
    Column("cost", "cost", table.dollars, firm=True, right=True, spare=True),
    moment("last seen", "lastSeen"),
)
"""How the board looks, here and in the demo."""


@click.group(
    invoke_without_command=True,
    epilog="""\b
    Examples:
      hookd fleet
      hookd fleet --json | jq '.[] | select(.status == "attention")'
      hookd fleet --watch
      hookd fleet tmux > ~/.fleet.conf
    """,
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list.")
@click.option("-w", "--watch", is_flag=True, help="Show it again at each change, until Ctrl-C.")
@click.pass_context
def fleet(ctx: click.Context, as_json: bool, watch: bool) -> None:
    """Show who is doing what.

    Every agent, and every open session that belongs to none, the last seen first.
    """
    if ctx.invoked_subcommand is not None:
        return
    if watch:
        fleet_watch.watch(COLUMNS, _EMPTY, as_json=as_json)
    else:
        agents = call("fleet.status")["agents"]
        table.show(agents, COLUMNS, as_json=as_json, empty=_EMPTY)


fleet.add_command(fleet_tmux.focus)
fleet.add_command(fleet_tmux.tmux)
