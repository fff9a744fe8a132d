"""The board with fixed rows: a feed and details without a daemon, and the screen as text."""

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from hookd import __version__
from hookd.cli.board.app import Board
from hookd.cli.board.sources import Detail
from hookd.cli.board.state import BoardState, Row
from hookd.cli.board.text import Item, Span
from support.paths import ROOT

ROWS: dict[str, Any] = json.loads((ROOT / "docs" / "board.json").read_text("utf-8"))


class FixedFeed:
    """Rows that never change; `calls` are the methods that were called, `answers` their results."""

    def __init__(self, rows: Mapping[str, Any] = ROWS) -> None:
        self.rows = rows
        self.link, self.why, self.stop, self.cannot_answer = "connected", "", "", ""
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
    """Details that name their subject."""

    def session(self, row: Row, *, told: bool) -> Detail:
        return Detail(str(row["agent"]), "", lambda _w: [Item(None, (Span(f"told {told}"),))])

    def event(self, number: int) -> Detail:
        return Detail(f"event {number}", "", lambda _w: [Item(None, (Span(f"why {number}"),))])


def screen(board: Board) -> list[str]:
    """Return the screen as lines of text, without colours."""
    strips = board.screen._compositor.render_strips()
    return [strip.text.rstrip() for strip in strips]
