"""`hookd board`: open the board, or print the plain table where it cannot be shown."""

import shutil
import sys
from pathlib import Path

import click

from hookd import paths
from hookd.cli.lib import terminal
from hookd.cli.lib.client import call
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.options import json_option
from hookd.cli.lib.person import client_around


@click.command(
    epilog="""\b
    Examples:
      hookd board
      hookd board --plain
      hookd board --json
    """
)
@click.option("--plain", is_flag=True, help="Print the table of hookd fleet instead.")
@click.option("-a", "--all", "every", is_flag=True, help="With --plain or --json: idle ones, too.")
@json_option("Print that table as a JSON list.")
@click.pass_context
def board(ctx: click.Context, plain: bool, every: bool, as_json: bool) -> None:
    """Watch all sessions and decisions, and answer requests.

    The keys are on the last line; ? shows all. A terminal that is too small, dumb or not there gets
    the table of `hookd fleet`.
    """
    why = unusable()
    if plain or as_json or why:
        if why and not (plain or as_json):
            click.echo(f"hookd: {why} This is the table of hookd fleet.", err=True)
        from hookd.cli.fleet.fleet import fleet  # noqa: PLC0415 - only here

        ctx.invoke(fleet, every=every, as_json=as_json, watch=False)
        return
    open_board()


def open_board() -> None:
    """Show the board until the user leaves it."""
    # Late: they import textual and asyncio, which no other command pays for.
    from hookd.cli.board.app import Board  # noqa: PLC0415
    from hookd.cli.board.database import DatabaseDetails  # noqa: PLC0415
    from hookd.cli.board.live import LiveFeed  # noqa: PLC0415

    plain = bool(paths.variable("NO_COLOR"))
    details = DatabaseDetails(paths.paths().database)
    terminal.end_when_closed()
    with terminal.unprotected():
        Board(LiveFeed(), details, home=str(Path.home()), plain=plain).run()


def unusable() -> str:
    """Return why the board cannot be shown here, as a sentence; "" if it can."""
    from hookd.cli.board.layout import MIN_HEIGHT, MIN_WIDTH  # noqa: PLC0415 - as above

    if not (sys.stdin.isatty() and sys.stdout.isatty() and sys.stderr.isatty()):
        return "The board needs a terminal, and input or output is none."
    if client := client_around():
        return f"The board is for a person, and this runs inside {client}."
    if paths.variable("TERM") in (None, "", "dumb", "unknown"):
        return f"The board needs a terminal that can move its cursor (TERM={_term()})."
    if (sys.stdout.encoding or "").lower().replace("-", "") != "utf8":
        return f"The board needs UTF-8, and the terminal's encoding is {sys.stdout.encoding}."
    width, height = shutil.get_terminal_size()
    if width < MIN_WIDTH or height < MIN_HEIGHT:
        least = f"{MIN_WIDTH} columns and {MIN_HEIGHT} lines"
        return f"The board needs {least}, and this terminal has {width} and {height}."
    return ""


def should_open() -> bool:
    """Return whether `hookd` without a command opens the board: a terminal, and sessions."""
    if unusable():
        return False
    try:
        return bool(call("fleet.status", {"limit": 1})["agents"])
    except Problem:
        return False


def _term() -> str:
    return paths.variable("TERM") or "unset"
