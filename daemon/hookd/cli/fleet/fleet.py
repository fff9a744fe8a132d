"""`hookd fleet`: every agent and every open session, with status, project, branch and prompt."""

from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

import click

from hookd.cli.fleet import tmux
from hookd.cli.fleet import watch as fleet_watch
from hookd.cli.lib import output
from hookd.cli.lib.client import call
from hookd.cli.lib.output import Column

_EMPTY = "Nobody is at work. Sessions appear when Claude Code runs with hookd: hookd install"
_STYLES = {
    "error": "bold red",
    "attention": "yellow",
    "working": "green",
    "checked": "cyan",
    "idle": "dim",
    "done": "dim",
}
_PROMPT = 32
"""Characters of a first prompt that a table shows."""


def _last(folder: str | None) -> str:
    """Return the last name of a folder: a table has no room for paths."""
    return output.text(PurePath(folder or "").name)


def _prompt(prompt: str | None) -> str:
    """Return the beginning of a first prompt."""
    text = output.text(prompt)
    return text if len(text) <= _PROMPT else text[: _PROMPT - 1] + "…"


COLUMNS = (
    Column("agent", "agent", least=10),
    Column("status", "status", firm=True, styles=_STYLES),
    Column("project", "project", _last, cut=True),
    Column("branch", "branch", cut=True),
    Column("first prompt", "firstPrompt", _prompt, cut=True, least=12),
    Column("context", "contextUsage", output.percent, firm=True, right=True),
    Column("last seen", "lastSeen", spare=True),
    Column("task", "task", _last, cut=True, least=10, spare=True),
    Column("skill", "skill", spare=True),
    Column("phase", "currentPhase", spare=True),
    Column("heartbeat", "heartbeatCounter", firm=True, right=True, spare=True),
    Column("cost", "cost", output.dollars, firm=True, right=True, spare=True),
    Column("told by", "contextSource", spare=True),
)
"""The columns of the fleet, here and in the demo."""


@click.group(
    invoke_without_command=True,
    epilog="""\b
    Examples:
      hookd fleet
      hookd fleet --all
      hookd fleet --json | jq '.[] | select(.status == "attention")'
      hookd fleet --watch
      hookd fleet tmux > ~/.fleet.conf
    """,
)
@click.option("-a", "--all", "every", is_flag=True, help="Show idle ones, too.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list.")
@click.option("-w", "--watch", is_flag=True, help="Show it again at each change, until Ctrl-C.")
@click.pass_context
def fleet(ctx: click.Context, every: bool, as_json: bool, watch: bool) -> None:
    """Show who is doing what.

    Every agent, and every open session without an AGENT_ID, the last seen first. One that is done,
    checked or idle and was not heard of for five minutes is shown with --all.
    """
    if ctx.invoked_subcommand is not None:
        return
    if watch:
        fleet_watch.watch(COLUMNS, _EMPTY, every=every, as_json=as_json)
        return
    rows = call("fleet.status", {"limit": 2_000})["agents"]
    shown = chosen(rows, every=every)
    if as_json:
        output.show_json(shown)
        return
    output.show(shown, COLUMNS, as_json=False, empty=_EMPTY if not rows else "Nobody is at work.")
    if hidden := len(rows) - len(shown):
        click.echo(f"\n{hidden} idle: hookd fleet --all")


def chosen(rows: Sequence[dict[str, Any]], *, every: bool) -> list[dict[str, Any]]:
    """Return the rows that are shown: all of them, or those that are not quiet."""
    return [row for row in rows if every or not row["quiet"]]


fleet.add_command(tmux.focus)
fleet.add_command(tmux.tmux)
