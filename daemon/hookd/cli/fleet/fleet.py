"""`hookd fleet`: the agents and open sessions, as a table, watched, and in tmux."""

import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import PurePath
from threading import Lock
from typing import Any

import click

from hookd import paths
from hookd.cli.fleet import central_lists, central_store, membership, publish, tmux_conf
from hookd.cli.fleet.sync import sync
from hookd.cli.lib import output, terminal, transport
from hookd.cli.lib.client import call, subscribe
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.groups import Commands
from hookd.cli.lib.options import client_option, json_option
from hookd.cli.lib.output import Column
from hookd.core.model.client_names import client_label
from hookd.core.sessions.tmux import is_pane
from hookd.display.amounts import dollars, percent

_NONE = "No agents are active."
_EMPTY = f"{_NONE} Sessions appear when a client runs with hookd: hookd install --all"
_STYLES = {
    "error": "bold red",
    "attention": "yellow",
    "working": "green",
    "checked": "cyan",
    "idle": "dim",
    "done": "dim",
}
_MAX_PROMPT_CHARS = 32
"""Characters of a first prompt that a table shows."""

_CHROME_LINES = 7
"""Lines of a watched screen that are not agents: heading, footer, hidden ones and cursor."""

_RETRY_INTERVAL_S = 0.5
"""Pause between attempts to reach a daemon that has ended."""

Row = dict[str, Any]


def _last(folder: str | None) -> str:
    """Return the last component of a path: a table has no room for the rest."""
    return output.text(PurePath(folder or "").name)


def _prompt(prompt: str | None) -> str:
    """Return a first prompt, cut to the width of its column."""
    text = output.text(prompt)
    return text if len(text) <= _MAX_PROMPT_CHARS else text[: _MAX_PROMPT_CHARS - 1] + "…"


COLUMNS = (
    Column("agent", "agent", least=10),
    Column("status", "status", firm=True, styles=_STYLES),
    Column("project", "project", _last, cut=True),
    Column("branch", "branch", cut=True),
    Column("first prompt", "firstPrompt", _prompt, cut=True, least=12),
    Column("context", "contextUsage", percent, firm=True, right=True),
    Column("last seen", "lastSeen", spare=True),
    Column("task", "task", _last, cut=True, least=10, spare=True),
    Column("skill", "skill", spare=True),
    Column("phase", "currentPhase", spare=True),
    Column("calls since log", "heartbeatCounter", firm=True, right=True, spare=True),
    Column("cost", "cost", dollars, firm=True, right=True, spare=True),
    Column("context source", "contextSource", spare=True),
    Column("client", "clientLabel", spare=True),
    Column("session", "sessionId", firm=True, right=True, spare=True),
)
"""The columns of the fleet, here and in the demo."""

_SHARED = (
    Column("claims", "claims", cut=True, least=8, spare=True),
    Column("mail", "mail", lambda count: output.text(count or None), right=True, spare=True),
    Column("work", "work", cut=True, least=8, spare=True),
)
"""What agents share: columns of a fleet that has any of it."""

_LEAST = ("branch", "firstPrompt", "cost")
"""Columns that a narrow terminal omits before those of `_SHARED`."""


def columns_of(rows: Sequence[Row]) -> tuple[Column, ...]:
    """Return the columns of a fleet; where agents share something, sessions and that come first."""
    shared = [one for one in _SHARED if any(row.get(one.key) for row in rows)]
    if not shared:
        return COLUMNS
    session = replace(COLUMNS[-1], spare=False)
    rest = [one for one in COLUMNS[3:-1] if one.key not in _LEAST]
    last = [replace(one, spare=True) for one in COLUMNS if one.key in _LEAST]
    return (COLUMNS[0], session, *COLUMNS[1:3], *shared, *rest, *last)


@click.group(
    cls=Commands,
    invoke_without_command=True,
    epilog="""\b
    Examples:
      hookd fleet
      hookd fleet --all
      hookd fleet --json | jq '.[] | select(.status == "attention")'
      hookd fleet --watch
      hookd fleet --host all        of all hosts, from the central store
      hookd fleet tmux > ~/.fleet.conf
    """,
)
@click.option("-a", "--all", "every", is_flag=True, help="Include idle ones.")
@client_option("Only agents and sessions of this client.")
@json_option("Print a JSON list.")
@click.option("-w", "--watch", is_flag=True, help="Print it at each change, until Ctrl-C.")
@central_lists.host_option("Sessions of another host, or of all.")
@click.pass_context
def fleet(  # noqa: PLR0913, PLR0917 - the options of a command
    ctx: click.Context,
    every: bool,
    client: str | None,
    as_json: bool,
    watch: bool,
    host: str | None,
) -> None:
    """Show what every agent and open session is doing.

    Sessions without an AGENT_ID are included; the last seen come first. Those that are done,
    checked or idle, without an event for five minutes, are shown with --all. --host reads the open
    sessions of the central store, with the viewer file of this machine; with --all ended ones, too.
    """
    if ctx.invoked_subcommand is not None:
        return
    if host is not None:
        if watch:
            raise click.UsageError("--host excludes --watch.")
        central_lists.show_fleet(host, COLUMNS, client=client, every=every, as_json=as_json)
        return
    if watch:
        _watch(client, every=every, as_json=as_json)
        return
    only = {"client": client} if client else {}
    rows = call("fleet.status", {"limit": 2_000} | only)["agents"]
    shown = chosen(rows, every=every)
    if as_json:
        output.show_json(shown)
        return
    output.show(
        _labelled(shown), columns_of(shown), as_json=False, empty=_EMPTY if not rows else _NONE
    )
    _show_hidden(rows, every=every)


@fleet.command(
    epilog="""\b
    Examples:
      hookd fleet focus %3 --socket /tmp/tmux-1000/fleet
      hookd fleet focus "$TMUX_PANE" --socket "${TMUX%%,*}"
    """
)
@click.argument("pane")
@click.option("--socket", required=True, metavar="PATH", help="Socket of the tmux server.")
@click.option("--server", type=click.IntRange(min=1), metavar="PID", help="Its process.")
@json_option("Print JSON.")
def focus(pane: str, socket: str, server: int | None, as_json: bool) -> None:
    """Mark the agent in a tmux pane as checked.

    Nothing changes unless it needs attention. tmux runs this through the lines of `hookd fleet
    tmux`. PANE is tmux's name for it, such as %3.
    """
    if not is_pane(pane):
        sentence = f"{output.cell(pane)} is not a tmux pane."
        raise Problem(sentence, "tmux list-panes -a -F '#{pane_id}'")
    result = call("fleet.focus", {"pane": pane, "socket": socket, "server": server})
    if as_json:
        output.show_json(result)
    elif result["agent"] is None:
        click.echo(f"No agent runs in {pane}.")
    else:
        did = "is checked" if result["checked"] else "did not need attention"
        click.echo(f"{output.cell(result['agent'])} {did}.")


@fleet.command(
    name="tmux",
    epilog="""\b
    Examples:
      hookd fleet tmux >> ~/.tmux.conf
      hookd fleet tmux > fleet.conf && tmux -L fleet source-file fleet.conf
    """,
)
def tmux() -> None:
    """Print tmux.conf lines: labels by status, and a focus hook."""
    click.echo(tmux_conf.render(str(transport.hookd())), nl=False)


for command in (*central_store.COMMANDS, *membership.COMMANDS, *publish.COMMANDS, sync):
    fleet.add_command(command)


def chosen(rows: Sequence[Row], *, every: bool) -> list[Row]:
    """Return the rows to show: all of them, or those that are not quiet."""
    return [row for row in rows if every or not row["quiet"]]


def _labelled(rows: Sequence[Row]) -> list[Row]:
    """Return the rows with the client and its version as one text."""
    return [
        row | {"clientLabel": client_label(row.get("client"), row.get("clientVersion"))}
        for row in rows
    ]


def _watch(client: str | None, *, every: bool, as_json: bool) -> None:
    """Print the fleet at each change, until Ctrl-C. Raise Problem if no daemon answers.

    With a `client`, only its agents and sessions.

    On a terminal each state replaces the one before, on the alternate screen; in a pipe it follows.
    """
    if sys.stdout.isatty() and not as_json and paths.variable("TERM") != "dumb":
        _watch_screen(client, every=every)
        return
    terminal.end_at_interrupt()
    for number, rows in enumerate(_states(client)):
        if number and not as_json:
            click.echo()
        shown = chosen(rows, every=every)
        labelled = shown if as_json else _labelled(shown)
        output.show(labelled, columns_of(shown), as_json=as_json, empty=_EMPTY)
        if not as_json:
            _show_hidden(rows, every=every)
        sys.stdout.flush()


def _watch_screen(client: str | None, *, every: bool) -> None:
    last: list[Row] = []
    drawing = Lock()  # another size of the terminal is drawn on another thread

    def draw() -> None:
        with drawing:
            draw_alone()

    def draw_alone() -> None:
        click.echo(terminal.CLEAR, nl=False)
        rows = chosen(last, every=every)
        room = max(shutil.get_terminal_size().lines - _CHROME_LINES, 1)
        none = _NONE if last else _EMPTY
        output.show(_labelled(rows[:room]), columns_of(rows[:room]), as_json=False, empty=none)
        _show_hidden(last, every=every)
        more = f"... and {len(rows) - room} more. " if len(rows) > room else ""
        click.echo(f"\n{more}Ctrl-C ends it.")
        sys.stdout.flush()

    states = _states(client)
    last[:] = next(states, [])  # without a daemon the terminal stays as it is
    with terminal.full_screen(draw):
        draw()
        for rows in states:
            last[:] = rows
            draw()


def _show_hidden(rows: Sequence[Row], *, every: bool) -> None:
    """Print how many rows are left out."""
    if hidden := len(rows) - len(chosen(rows, every=every)):
        click.echo(f"\n{hidden} idle: hookd fleet --all")


def _states(client: str | None) -> Iterator[list[Row]]:
    """Yield the fleet of a client, or of all, at first and after each change."""
    notifications = _subscribe()
    while True:
        by_agent: dict[str, Row] = {}
        for notification in notifications:
            if notification.method == "fleet.changed":
                for name in notification.params["gone"]:
                    by_agent.pop(name, None)
                by_agent |= {row["agent"]: row for row in notification.params["agents"]}
                rows = (row for row in by_agent.values() if client in (None, row["client"]))
                yield sorted(rows, key=lambda row: str(row["lastSeen"]), reverse=True)
        # The daemon ended, or dropped a slow subscriber: a new subscription starts with all rows.
        notifications = _resubscribe()


def _subscribe() -> Iterator[Any]:
    return subscribe("fleet.subscribe")[1]


def _resubscribe() -> Iterator[Any]:
    """Subscribe again, as often as it takes; report the first failure on stderr."""
    reported = False
    while True:
        try:
            return _subscribe()
        except Problem as problem:
            if not reported:
                click.echo(f"hookd: {problem.message} Waiting for it.", err=True)
            reported = True
            time.sleep(_RETRY_INTERVAL_S)
