"""The home of `hookd fleet --watch`: the board, drawn again at each change."""

import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any

import click

from hookd.cli.lib import output, terminal
from hookd.cli.lib.client import subscribe
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.output import Column

_AROUND = 5
"""Lines of a screen that are not agents: the head, what stands below, and the cursor's."""

_PAUSE = 0.5
"""Seconds between two looks for a daemon that has gone."""

Row = dict[str, Any]


def watch(columns: Sequence[Column], empty: str, *, every: bool, as_json: bool) -> None:
    """Draw the board at each change, until Ctrl-C. Raise Problem where no daemon answers.

    On a terminal the new board takes the place of the old one; in a pipe it follows it.
    """
    screen = sys.stdout.isatty() and not as_json
    for number, board in enumerate(_boards()):
        rows = [row for row in board if every or not row["quiet"]]
        if screen:
            click.echo(terminal.CLEAR, nl=False)
        elif number and not as_json:
            click.echo()
        room = max(shutil.get_terminal_size().lines - _AROUND, 1) if screen else len(rows)
        output.show(rows[:room], columns, as_json=as_json, empty=empty)
        if screen:
            more = f"... and {len(rows) - room} more. " if len(rows) > room else ""
            click.echo(f"\n{more}Ctrl-C ends it.")
        sys.stdout.flush()


def _boards() -> Iterator[list[Row]]:
    """Yield the whole board as it was, at first and after each change."""
    told = _told()
    while True:
        board: dict[str, Row] = {}
        for one in told:
            if one.method == "fleet.changed":
                for name in one.params["gone"]:
                    board.pop(name, None)
                board |= {row["agent"]: row for row in one.params["agents"]}
                yield sorted(board.values(), key=lambda row: str(row["lastSeen"]), reverse=True)
        # The daemon ended, or we were too slow: what is there is asked for anew.
        told = _told_again()


def _told() -> Iterator[Any]:
    return subscribe("fleet.subscribe")[1]


def _told_again() -> Iterator[Any]:
    said = False
    while True:
        try:
            return _told()
        except Problem as problem:
            if not said:
                click.echo(f"hookd: {problem.message} Waiting for it.", err=True)
            said = True
            time.sleep(_PAUSE)
