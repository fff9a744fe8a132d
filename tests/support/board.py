"""The board with fixed rows: a feed and details without a daemon, and the screen as text."""

import json
import os
import pty
import select
import struct
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime
from fcntl import ioctl
from termios import TIOCSWINSZ
from typing import Any, Self

from hookd import __version__
from hookd.cli.board.app import Board
from hookd.cli.board.database import explained, time_line_of
from hookd.cli.board.sources import Detail
from hookd.cli.board.state import BoardState, Row
from hookd.clients import answers
from hookd.display.explanation import Judges, Told, explain
from hookd.display.timeline import Entry
from support import forkserver
from support.home import Home
from support.paths import ROOT

PATIENCE_S = 30
"""Seconds that a board may take to show something."""

ROWS: dict[str, Any] = json.loads((ROOT / "docs" / "board.json").read_text("utf-8"))


class FixedFeed:
    """Rows that never change; `calls` are the methods that were called, `answers` their results."""

    def __init__(self, rows: Mapping[str, Any] = ROWS) -> None:
        self.rows = rows
        self.link, self.why, self.step = "connected", "", ""
        self.stop, self.cannot_answer = "", ""
        self.daemon: Mapping[str, Any] | None = {**rows["daemon"], "version": __version__}
        self.calls: list[tuple[str, Any]] = []
        self.answers: dict[str, Any] = {}

    def now(self) -> datetime | None:
        return datetime.fromisoformat(self.rows["now"])

    async def run(self, state: BoardState, changed: Callable[[], None]) -> None:
        state.replace_agents(self.rows["agents"])
        state.add_events(self.rows["events"])
        state.change_approvals(self.rows["pending"], [])
        changed()

    async def call(self, method: str, params: Mapping[str, Any]) -> Any:
        self.calls.append((method, dict(params)))
        answer = self.answers[method]
        if isinstance(answer, Exception):
            raise answer
        return answer


class FixedDetails:
    """The same time line for every session, the same explanation for every event."""

    def session(self, row: Row, *, told: bool) -> Detail:
        return time_line_of(row, [_entry(one) for one in ROWS["timeline"]], told=told)

    def event(self, number: int) -> Detail:
        event = ROWS["explained"]
        texts = answers.told(event["event"], event["answer"])
        return explained(f"event {number}", explain(event, Judges(), ROWS["guards"], (), texts))


def _entry(row: dict[str, Any]) -> Entry:
    return Entry(**row | {"told": tuple(Told(to, text) for to, text in row.get("told", ()))})


def screen(board: Board) -> list[str]:
    """Return the screen as lines of text, without colours."""
    strips = board.screen._compositor.render_strips()
    return [strip.text.rstrip() for strip in strips]


class BoardTerminal:
    """`hookd board` on a terminal of its own, as a person runs it: keys in, text out."""

    def __init__(self, home: Home, *words: str, **env: str) -> None:
        """Run `hookd` with these words, on a terminal of 120 by 40."""
        self._ours, theirs = pty.openpty()
        ioctl(theirs, TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        whole = home.env | {"TERM": "xterm-256color"} | env
        self._child = forkserver.Child(words, whole, None, theirs, theirs, theirs)
        os.close(theirs)
        self.text = ""

    def press(self, keys: str) -> None:
        """Type keys."""
        os.write(self._ours, keys.encode())

    def shows(self, text: str, press: str = "") -> None:
        """Read until a text was written; type keys again and again until then."""
        end = time.monotonic() + PATIENCE_S
        while text not in self.text:
            assert time.monotonic() < end, self.text[-2_000:]
            if press:
                self.press(press)
            self.read(0.2)

    def read(self, seconds: float) -> None:
        """Read what is written within a time."""
        if select.select([self._ours], [], [], seconds)[0]:
            self.text += os.read(self._ours, 1 << 16).decode(errors="replace")

    def close_terminal(self) -> int:
        """Close the terminal, as a window that is closed; return the board's exit code."""
        os.close(self._ours)
        return self._child.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Leave it."""
        self.press("q")
        with suppress(OSError):  # Linux: the other end is closed
            while select.select([self._ours], [], [], PATIENCE_S)[0]:
                os.read(self._ours, 1 << 16)
        os.close(self._ours)
        self.code = self._child.wait()
