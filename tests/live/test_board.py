"""Live: the board follows a real daemon, explains its decisions, and reconnects."""

import asyncio
import signal
from collections.abc import Callable

import pytest

from hookd.cli.board.app import Board
from hookd.cli.board.database import DatabaseDetails
from hookd.cli.board.live import LiveFeed
from support.approvals import HOLD, answer_of, asking
from support.board import BoardTerminal, screen
from support.home import Home, window_in

pytestmark = pytest.mark.gate


async def shows(board: Board, text: str, seconds: float = 30) -> str:
    """Return the line of the screen that has a text, once there is one."""
    async with asyncio.timeout(seconds):
        while True:
            found = [line for line in screen(board) if text in line]
            if found:
                return found[0]
            await asyncio.sleep(0.02)


async def elsewhere(act: Callable[[], object]) -> None:
    """Do something blocking beside the board."""
    await asyncio.to_thread(act)


async def test_events_appear_are_explained_and_the_daemon_may_restart(
    daemon: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOOKD_HOME", str(daemon.path))
    window = window_in(daemon, AGENT_ID="orders")
    window.says("SessionStart")
    board = Board(LiveFeed(), DatabaseDetails(daemon.database))
    board.settle_s = 0.0
    async with board.run_test(size=(200, 60)) as pilot:
        await shows(board, "● live")
        await elsewhere(lambda: window.says("UserPromptSubmit", prompt="Tidy [red]up"))
        await shows(board, "Tidy [red]up")
        await elsewhere(lambda: window.bash("rm -rf /"))
        await shows(board, "✗ deny")
        await shows(board, "destructive-guard")
        await pilot.press("2")
        await pilot.press("enter")
        await shows(board, "PreToolUse, denied by destructive-guard")
        await shows(board, "allow exactly this call: hookd allow")
        await pilot.press("1")
        await shows(board, "orders  ")
        await elsewhere(daemon.ends)
        await shows(board, "hookd is stopped, by hookd stop")
        await elsewhere(daemon.serves)
        await shows(board, "● live")
        await elsewhere(lambda: window.bash("echo after the restart"))
        await shows(board, "echo after the restart")
        await pilot.press("q")


def test_a_request_is_answered_by_a_key(home: Home) -> None:
    home.settings(HOLD)
    home.serves()
    window = window_in(home, AGENT_ID="orders")
    window.says("SessionStart")
    with BoardTerminal(home) as board:  # hookd alone: there are sessions
        board.shows("live")
        with asking(window, tool_name="Bash", tool_input={"command": "git clean -fd"}) as shim:
            board.shows("1 to approve")
            board.press("v")
            board.shows("git clean -fd")
            board.shows("Allowed.", press="y")
            assert answer_of(shim) == {"behavior": "allow"}
        ((answered_by,),) = home.rows("SELECT answered_by FROM approvals")
        assert "board" in answered_by
        with asking(window, tool_name="Bash", tool_input={"command": "git clean -fdx"}) as shim:
            board.shows("git clean -fdx")
            board.shows("why, for the model", press="n")
            board.press("Use the [red]build folder.\r")
            board.shows("Denied.")
            assert "Use the [red]build folder. (hookd #" in answer_of(shim)["message"]
    assert board.code == 0


def test_inside_a_client_there_is_no_board_to_answer_from(home: Home) -> None:
    home.serves()
    with BoardTerminal(home, "board", COPILOT_CLI="1") as board:
        board.shows("inside Copilot CLI. This is the table of hookd fleet")


def test_the_board_ends_with_its_terminal(daemon: Home) -> None:
    window_in(daemon, AGENT_ID="orders").says("SessionStart")
    board = BoardTerminal(daemon, "board")
    board.shows("live")
    assert board.close_terminal() == 128 + signal.SIGHUP
