"""Picture of the board as text, for places without a screen: what it shows once it has its rows.

Run as a program with the width and the height; the environment says which daemon it shows.
"""

import asyncio
import sys
from pathlib import Path

import click

from hookd import paths
from hookd.cli.board.app import Board
from hookd.cli.board.database import DatabaseDetails
from hookd.cli.board.live import LiveFeed

_ROUNDS, _ROUND_S = 40, 0.1
"""How often the board is looked at until it stays the same, and the pause before each time."""


async def picture(width: int, height: int) -> list[str]:
    """Return the lines of the board at this size, without colours."""
    details = DatabaseDetails(paths.paths().database)
    board = Board(LiveFeed(), details, home=str(Path.home()), plain=True)
    lines: list[str] = []
    async with board.run_test(size=(width, height)) as pilot:
        for turn in range(_ROUNDS):
            await pilot.pause(_ROUND_S)
            before, lines = lines, _lines(board)
            if turn > _ROUNDS // 4 and lines == before:
                break
    return lines


def _lines(board: Board) -> list[str]:
    strips = board.screen._compositor.render_strips()
    return ["".join(segment.text for segment in strip).rstrip() for strip in strips]


if __name__ == "__main__":
    click.echo("\n".join(asyncio.run(picture(int(sys.argv[1]), int(sys.argv[2])))))
