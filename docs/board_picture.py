"""Writes docs/board.svg: the board with the fixed rows of docs/board.json."""

import asyncio
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tests"))

from hookd.cli.board.app import Board  # noqa: E402
from hookd.cli.lifecycle.demo import without_web_fonts  # noqa: E402
from support.board import FixedDetails, FixedFeed  # noqa: E402

SIZE = (132, 36)
_SETTLE_S = 0.2


async def main() -> None:
    """Draw the session that waits for a person, with its time line."""
    board = Board(FixedFeed(), FixedDetails(), home="/home/mia")
    board.settle_s = 0.0
    async with board.run_test(size=SIZE) as pilot:
        await pilot.press("down", "down")
        await pilot.pause(_SETTLE_S)
        picture = board.export_screenshot(title="hookd board")
    # The name of the drawing is a hash of its content, and so are its parts.
    (HERE / "board.svg").write_text(without_web_fonts(picture), "utf-8")


if __name__ == "__main__":
    asyncio.run(main())
