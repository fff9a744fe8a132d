"""Cursor and scrolling of a pane: which of its lines are visible, and which one is selected. Pure.

The cursor is a key, not a place: it stays on its row while other rows come and go.
"""

from collections.abc import Sequence

from hookd.cli.board.text import Item


class Viewport:
    """The visible part of a list of items; `follows` keeps the cursor at a growing end."""

    def __init__(self, *, follows: bool = False) -> None:
        self.key: str | None = None
        self.top = 0
        self.follows = follows
        self._tail = follows
        self._place = 0
        self._height = 1
        self._free = False
        """Whether the user scrolled, so that the cursor may be out of sight."""

    def arrange(self, items: Sequence[Item], height: int) -> None:
        """Take the current items and the pane's height; keep the cursor on its row."""
        self._height = max(height, 1)
        if self._tail:
            self._free = False
            self._select(items, len(items) - 1, -1)
        else:
            self._find(items)
        self._scroll(items)

    def visible(self, items: Sequence[Item]) -> Sequence[Item]:
        """Return the items that the pane shows."""
        return items[self.top : self.top + self._height]

    def hidden(self, items: Sequence[Item]) -> tuple[int, int]:
        """Return how many rows are out of sight above and below; lines, where no row is.

        Rows above a followed end are not counted: there are always some.
        """
        above = 0 if self._tail else _rows(items[: self.top])
        return above, _rows(items[self.top + self._height :])

    def move(self, items: Sequence[Item], steps: int) -> None:
        """Move the cursor by rows, or scroll by lines where the next row is out of sight."""
        step = 1 if steps > 0 else -1
        for _ in range(abs(steps)):
            found = _next(items, self._place + step, step)
            if (found is not None and self._sees(found)) or (
                not self.scroll(items, step) and found is not None
            ):
                self.select_place(items, found)

    def scroll(self, items: Sequence[Item], lines: int) -> bool:
        """Scroll by lines, without the cursor; return whether there was anything to scroll."""
        before = self.top
        self.top = max(min(self.top + lines, len(items) - self._height), 0)
        self._free = True
        self._tail = self._tail and lines >= 0
        return self.top != before

    def page(self, items: Sequence[Item], pages: int) -> None:
        """Move the cursor by pages."""
        self.scroll(items, pages * max(self._height - 1, 1))
        edge = self.top if pages < 0 else self.top + self._height - 1
        place = _next(items, min(edge, len(items) - 1), 1 if pages < 0 else -1)
        if place is not None and self._sees(place):
            self.select_place(items, place)

    def end(self, items: Sequence[Item], *, last: bool) -> None:
        """Move the cursor to the first row, or to the last."""
        self.select_place(items, len(items) - 1 if last else 0, -1 if last else 1)
        self.scroll(items, len(items) if last else -len(items))
        self._tail = self.follows and last

    def select(self, items: Sequence[Item], key: str) -> None:
        """Move the cursor to a row by its key."""
        for place, item in enumerate(items):
            if item.key == key:
                self.select_place(items, place)
                return

    def select_place(self, items: Sequence[Item], place: int, step: int = 1) -> None:
        """Move the cursor to a place, or to the next row from there that can be selected."""
        self._select(items, place, step)
        at_end = _next(items, self._place + 1, 1) is None
        self._tail = self.follows and at_end
        self._free = False
        self._scroll(items)

    @property
    def place(self) -> int:
        """The place of the selected row; without one, the first line that is visible."""
        return self._place if self.key is not None else self.top

    @property
    def at_tail(self) -> bool:
        """Whether the cursor follows the end."""
        return self._tail

    def _select(self, items: Sequence[Item], place: int, step: int) -> None:
        found = _next(items, place, step)
        if found is None:
            found = _next(items, place, -step)
        self._place = found or 0
        self.key = items[found].key if found is not None else None

    def _sees(self, place: int) -> bool:
        return self.top <= place < self.top + self._height

    def _find(self, items: Sequence[Item]) -> None:
        if self.key is not None:
            if self._place < len(items) and items[self._place].key == self.key:
                return
            for place, item in enumerate(items):
                if item.key == self.key:
                    self._place = place
                    return
        self._select(items, min(self._place, max(len(items) - 1, 0)), -1)

    def _scroll(self, items: Sequence[Item]) -> None:
        """Scroll as little as shows the cursor, and leave no room below the last item."""
        if self.key is not None and not self._free:
            heading = self._place > 0 and items[self._place - 1].key is None
            first = self._place - heading
            self.top = min(self.top, max(first, 0))
            self.top = max(self.top, self._place - self._height + 1)
        self.top = max(min(self.top, len(items) - self._height), 0)


def _rows(items: Sequence[Item]) -> int:
    return sum(item.key is not None for item in items) or len(items)


def _next(items: Sequence[Item], place: int, step: int) -> int | None:
    """Return the place of the next row from `place` on that can be selected, None if none is."""
    while 0 <= place < len(items):
        if items[place].key is not None:
            return place
        place += step
    return None
