"""`hookd board` where it cannot be shown: the plain table, and why."""

import json

from hookd.cli.board import board
from support.home import Home, Window


def test_without_a_terminal_the_table_of_the_fleet_is_printed(window: Window) -> None:
    window.says("SessionStart")
    home = window.home
    (number,) = window.sessions("id")[0]
    told = home.hookd("board")
    assert f"session {number}" in told.stdout
    assert told.stdout == home.hookd("fleet").stdout
    assert told.stderr == (
        "hookd: The board needs a terminal, and input or output is none."
        " This is the table of hookd fleet.\n"
    )
    rows = json.loads(home.hookd("board", "--json").stdout)
    assert f"session {number}" in {row["agent"] for row in rows}
    assert home.hookd("board", "--plain").stderr == ""


def test_without_a_daemon_the_next_step_is_said(home: Home) -> None:
    told = home.hookd("board", check=False)
    assert told.returncode == 1
    assert "next: hookd start" in told.stderr
    assert board.should_open() is False, "tests have no terminal"
