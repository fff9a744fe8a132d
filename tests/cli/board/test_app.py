"""The board as a program: its screen at three sizes, its keys, its dialogs.

After a change of the screen, look at what this writes:
UPDATE_SCREENS=1 .venv/bin/python -m pytest tests/cli/board/test_app.py
"""

import gc
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from hookd.cli.board.app import Board
from hookd.cli.board.sources import CallError
from support.board import ROWS, FixedDetails, FixedFeed, screen

SCREENS = Path(__file__).with_name("screens")
SIZES = ((80, 24), (120, 40), (200, 60))


class Scene:
    """A board with fixed rows, and the keys that are pressed on it."""

    def __init__(self, pilot: Pilot[None], feed: FixedFeed) -> None:
        self.pilot, self.feed = pilot, feed

    @property
    def board(self) -> Board:
        board = self.pilot.app
        assert isinstance(board, Board)
        return board

    async def keys(self, *keys: str) -> list[str]:
        """Press keys; return the screen once nothing more happens."""
        for key in keys:
            await self.pilot.press(key)
            await self.settle()
        return screen(self.board)

    async def settle(self) -> None:
        """Wait until readers and acts are over, or an act waits for its dialog."""
        board, stack = self.board, len(self.board.screen_stack)
        while len(board.screen_stack) == stack and any(
            worker.group != "default" and worker.is_running for worker in board.workers
        ):
            await self.pilot.pause(0.005)
            if stack > 1:
                break
        await self.pilot.pause()

    async def type(self, text: str) -> list[str]:
        """Type a text and take it."""
        await self.pilot.press(*("space" if one == " " else one for one in text))
        return await self.keys("enter")


Play = Callable[[Scene], Awaitable[None]]


async def play(act: Play, size: tuple[int, int] = (120, 40), **options: Any) -> FixedFeed:
    feed = FixedFeed(options.pop("rows", ROWS))
    for name in ("link", "why", "step", "stop", "cannot_answer"):
        if name in options:
            setattr(feed, name, options.pop(name))
    board = Board(feed, FixedDetails(), home="/home/mia", **options)
    board.settle_s = board.haste_s = 0.0
    async with board.run_test(size=size) as pilot:
        scene = Scene(pilot, feed)
        await scene.settle()
        await act(scene)
    return feed


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
async def test_screens(size: tuple[int, int]) -> None:
    async def act(scene: Scene) -> None:
        shown = {
            "sessions": screen(scene.board),
            "events": await scene.keys("2", "up"),
            "why": await scene.keys("w"),
            "requests": await scene.keys("v"),
            "help": await scene.keys("question_mark"),
        }
        text = "".join(f"== {name}\n" + "\n".join(lines) + "\n" for name, lines in shown.items())
        path = SCREENS / f"{size[0]}x{size[1]}.txt"
        if os.environ.get("UPDATE_SCREENS"):
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, "utf-8")
        assert text == path.read_text("utf-8"), "look at it, then update it as said above"

    await play(act, size)


def line_of(lines: list[str], text: str) -> str:
    return next(line for line in lines if text in line)


async def test_headings_count_the_rows_that_do_not_fit() -> None:
    agents = [
        ROWS["agents"][0] | {"agent": f"extra {number}", "sessionId": 100 + number}
        for number in range(12)
    ]

    async def act(scene: Scene) -> None:
        assert " more below" in line_of(screen(scene.board), "▸sessions")
        heading = line_of(await scene.keys("G"), "▸sessions")
        assert " more above" in heading
        assert "below" not in heading

    await play(act, (80, 24), rows=ROWS | {"agents": [*ROWS["agents"], *agents]})


@pytest.mark.gate
async def test_keys_for_looking() -> None:
    async def act(scene: Scene) -> None:
        assert any("session 29" in line for line in await scene.keys("z"))
        assert not any("session 29" in line for line in await scene.keys("z"))
        lines = await scene.keys("s")
        assert not any("make test" in line for line in lines)
        assert any("git push --force" in line for line in lines)
        assert any("make test" in line for line in await scene.keys("escape"))
        await scene.keys("f")
        assert any("agents: is not a field" in line for line in await scene.type("agents:x"))
        await scene.keys(*["backspace"] * 8)
        lines = await scene.type("agent:orders")
        assert line_of(lines, "filter: agent:orders")
        assert not any("checkout" in line for line in lines)
        assert line_of(await scene.keys("escape", "2", "slash"), "search in events")
        await scene.type("rm -rf")
        assert scene.board.selected() == "4688"
        await scene.keys("N")
        assert scene.board.selected() == "4687"
        assert "is not found" in (await scene.keys("slash", "Z", "Q", "enter"))[-1]

    await play(act)


async def test_details_follow_the_cursor_and_can_be_left() -> None:
    async def act(scene: Scene) -> None:
        assert line_of(screen(scene.board), "9 calls: Read 5")
        lines = await scene.keys("t")
        assert line_of(lines, "only texts for the model")
        assert not any("9 calls" in line for line in lines)
        lines = await scene.keys("escape", "2", "up", "up")
        assert line_of(lines, " event 4705")
        lines = await scene.keys("enter", "escape")
        assert line_of(lines, "▸events")
        assert line_of(await scene.keys("1", "w"), "event 4682"), "the last event of the session"

    await play(act)


PREVIEW = {
    "calls": [
        {"guard": "no-force", "tool": "Bash", "text": "git push [red]x", "folder": "/work/shop"}
    ],
    "until": None,
    "others": ["secrets-guard"],
}


@pytest.mark.gate
async def test_a_denied_call_is_allowed_again_after_a_confirmation() -> None:
    async def act(scene: Scene) -> None:
        scene.feed.answers = {"allowances.add": PREVIEW}
        await scene.keys("2", "slash")
        await scene.type("--force")
        lines = await scene.keys("a")
        assert line_of(lines, "Bash: git push [red]x")
        assert line_of(lines, "past no-force, in /work/shop, in all your sessions")
        assert line_of(lines, "secrets-guard blocks it as well")
        assert "[1 hour]" in line_of(await scene.keys("d"), "how long")
        assert "[all of its project]" in line_of(await scene.keys("s"), "where")
        assert "Allowed. To undo it: hookd allow remove 4694" in (await scene.keys("y"))[-1]
        assert "Nothing was allowed." in (await scene.keys("a", "escape"))[-1]

    feed = await play(act)
    changes = [params for _, params in feed.calls if not params.get("preview")]
    assert changes == [{"eventId": 4694, "scope": "project", "until": "2026-11-21T10:41:30+00:00"}]


async def test_refusals_are_shown_in_the_daemons_words() -> None:
    async def act(scene: Scene) -> None:
        refused = CallError("no guard blocked the call of event 4707.", "hookd why 4707")
        scene.feed.answers = {"allowances.add": refused}
        assert "Not allowed: no guard blocked" in (await scene.keys("2", "a"))[-1]
        person = CallError("daemon.pause is for a person: Claude Code asked.", "your own terminal")
        scene.feed.answers = {"daemon.pause": person}
        assert "is for a person" in (await scene.keys("p", "y"))[-1]

    await play(act)


async def test_guards_are_paused_and_resumed() -> None:
    async def act(scene: Scene) -> None:
        until = "2026-11-21T10:11:30.000Z"
        scene.feed.answers = {"daemon.pause": {"pausedUntil": until}, "daemon.resume": {}}
        assert line_of(await scene.keys("p"), "No guard, policy or user hook applies")
        assert "Paused until 2026-11-21 11:11:30+01:00" in (await scene.keys("d", "y"))[-1]
        scene.feed.daemon = {**(scene.feed.daemon or {}), "pausedUntil": until}
        scene.board.changed()
        await scene.settle()
        assert "Guards are off: hookd is paused until 11:11:30" in screen(scene.board)[1]
        assert line_of(await scene.keys("p"), "Guards apply again at once")
        assert "Guards apply again." in (await scene.keys("y"))[-1]
        await scene.keys("p", "n")

    feed = await play(act)
    assert feed.calls == [
        ("daemon.pause", {"until": "2026-11-21T10:11:30+00:00"}),
        ("daemon.resume", {}),
    ]


@pytest.mark.gate
async def test_requests_are_answered() -> None:
    first = ROWS["pending"][0]
    rows = ROWS | {"pending": [first | {"id": number} for number in (7, 8, 9)]}

    async def act(scene: Scene) -> None:
        scene.feed.answers = {"approvals.answer": {}}
        lines = await scene.keys("v")
        assert line_of(lines, "database, to check: It changes the schema of a database")
        scene.board.haste_s = 1_000.0
        assert "has just come" in (await scene.keys("y"))[-1]
        scene.board.haste_s = 0.0
        assert "Allowed." in (await scene.keys("y"))[-1]
        assert line_of(await scene.keys("n"), "why, for the model")
        assert "Denied." in (await scene.type("not today"))[-1]
        assert "Left to the dialog." in (await scene.keys("d"))[-1]
        scene.board.state.forget_approvals()
        scene.board.changed()
        await scene.settle()
        assert "No permission request is selected" in (await scene.keys("y"))[-1]

    feed = await play(act, (200, 60), rows=rows)
    assert [params for _, params in feed.calls] == [
        {"id": 7, "answer": "allow", "via": "board"},
        {"id": 7, "answer": "deny", "via": "board", "message": "not today"},
        {"id": 7, "answer": "dialog", "via": "board"},
    ]


async def test_a_board_without_a_daemon_says_so() -> None:
    async def act(scene: Scene) -> None:
        lines = screen(scene.board)
        assert lines[0].endswith("○ not connected")
        assert "Not connected: No daemon is running. Waiting for the daemon." in lines[1]

    await play(act, (80, 24), link="reconnecting", why="No daemon is running.")


SINCE = "2026-11-21 10:39:00+01:00"
STOP = f"hookd is stopped, by hookd stop, since {SINCE}: every call runs unchecked."
INSIDE = "this was asked from inside Claude Code (process 41)."
REFUSAL = f"approvals.subscribe is for a person: {INSIDE}"


@pytest.mark.parametrize(
    ("options", "end"),
    [
        ({"link": "stopped", "why": STOP, "stop": STOP}, "Next: hookd start."),
        (
            {
                "link": "reconnecting",
                "why": f"No daemon is running: there is no socket /{'x' * 60}.",
                "step": "hookd start",
            },
            "Not connected. Next: hookd start.",
        ),
        (
            {"cannot_answer": REFUSAL},
            "Requests cannot be answered here, only in a terminal of your own.",
        ),
    ],
)
async def test_a_warning_keeps_its_next_step_in_80_columns(
    options: dict[str, Any], end: str
) -> None:
    async def act(scene: Scene) -> None:
        assert screen(scene.board)[1].endswith(end)

    await play(act, (80, 24), **options)


async def test_a_warning_has_its_reason_where_there_is_room() -> None:
    async def act(scene: Scene) -> None:
        line = screen(scene.board)[1]
        assert line.endswith(f"of your own: {INSIDE}")

    await play(act, (200, 60), cannot_answer=REFUSAL)


async def test_details_that_are_replaced_before_they_were_read_leave_nothing_behind() -> None:
    async def act(scene: Scene) -> None:
        for _ in range(2):  # in one step: the first reader is cancelled before it began
            scene.board.action_told()
        gc.collect()  # a coroutine that was never awaited warns when it is freed

    await play(act)


@pytest.mark.gate
async def test_the_end_of_a_filter_is_said_until_the_next_key() -> None:
    async def act(scene: Scene) -> None:
        await scene.keys("f")
        await scene.type("agent:orders")
        assert "The filter is cleared." in (await scene.keys("escape"))[-1]
        assert "enter open" in (await scene.keys("down"))[-1]

    await play(act)


async def test_without_colours_nothing_is_coloured() -> None:
    async def act(scene: Scene) -> None:
        for strip in scene.board.screen._compositor.render_strips():
            for segment in strip:
                style = segment.style
                assert style is None or (style.color is None or style.color.is_default), segment

    await play(act, plain=True)


@pytest.mark.gate
async def test_any_size_can_be_drawn_and_the_board_leaves() -> None:
    async def act(scene: Scene) -> None:
        for size in ((60, 16), (61, 100), (300, 17), (20, 5), (1, 1), (100, 30)):
            await scene.pilot.resize_terminal(*size)
            await scene.keys("tab", "down", "pagedown", "home", "G")
        await scene.keys("q")
        assert scene.board.return_code == 0

    await play(act)
