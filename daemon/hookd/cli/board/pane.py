"""The widget of every pane: a heading and lines, of which only those that changed are drawn."""

from collections.abc import Callable, Mapping, Sequence

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from hookd.cli.board.chrome import with_hidden
from hookd.cli.board.text import Item, Line, cut, width_of
from hookd.cli.board.viewport import Viewport

_WHEEL_LINES = 3
_WHOLE = 400
"""Columns of a line that is searched."""

Render = Callable[[Item, int], Line]
"""Return the line of an item for a width."""


class Pane(Widget):
    """Lines with a cursor. `show` sets them; `Moved` and `Opened` tell what the user did."""

    can_focus = True
    DEFAULT_CSS = "Pane { position: absolute; }"

    class Moved(Message):
        """The cursor is on another row."""

        def __init__(self, pane: "Pane") -> None:
            super().__init__()
            self.pane = pane

        @property
        def control(self) -> "Pane":
            """The pane."""
            return self.pane

    class Opened(Moved):
        """A row was clicked twice, or chosen with the enter key."""

    def __init__(self, name: str, styles: Mapping[str, Style], *, follows: bool = False) -> None:
        super().__init__(id=name)
        self.view = Viewport(follows=follows)
        self.items: Sequence[Item] = ()
        self._theme = styles
        self._render_item: Render = lambda item, _width: item.value
        self._heading: tuple[Line, ...] = ()
        self._lines: list[tuple[Line, str]] = []
        self._strips: dict[int, Strip] = {}

    def show(self, items: Sequence[Item], render: Render, heading: Sequence[Line] = ()) -> None:
        """Set the items and the lines above them; draw what differs from before."""
        self.items, self._render_item, self._heading = items, render, tuple(heading)
        before = self.view.key
        self.view.arrange(items, self.size.height - len(self._heading))
        self.draw()
        if self.view.key != before:
            self.post_message(self.Moved(self))

    def draw(self) -> None:
        """Draw the lines that differ from those on the screen."""
        size = self.size
        if not size.width or not size.height:
            return
        heading = self._heading
        if heading:
            first = with_hidden(heading[0], *self.view.hidden(self.items), size.width)
            heading = (first, *heading[1:])
        lines = [(line, "") for line in heading[: size.height]]
        cursor = "cursor" if self.has_focus else "cursor.away"
        for item in self.view.visible(self.items)[: size.height - len(lines)]:
            chosen = item.key is not None and item.key == self.view.key
            lines.append((self._render_item(item, size.width), cursor if chosen else ""))
        lines += [((), "")] * (size.height - len(lines))
        changed = [y for y, line in enumerate(lines) if self._lines[y : y + 1] != [line]]
        self._lines = lines
        for y in changed:
            self._strips.pop(y, None)
        if changed:
            self.refresh(*(Region(0, y, size.width, 1) for y in changed))

    def render_line(self, y: int) -> Strip:
        """Return one line as textual draws it."""
        if (strip := self._strips.get(y)) is None:
            line, cursor = self._lines[y] if y < len(self._lines) else ((), "")
            strip = self._strips[y] = self._strip(line, cursor)
        return strip

    def move(self, how: str, steps: int = 0) -> None:
        """Move the cursor: `rows`, `pages`, or to an `end` (steps 0: the first, else the last)."""
        before = self.view.key
        if how == "rows":
            self.view.move(self.items, steps)
        elif how == "pages":
            self.view.page(self.items, steps)
        else:
            self.view.end(self.items, last=bool(steps))
        self.draw()
        if self.view.key != before:
            self.post_message(self.Moved(self))

    def select(self, key: str) -> None:
        """Move the cursor to a row."""
        self.view.select(self.items, key)
        self.draw()

    def search(self, text: str, step: int) -> bool:
        """Move to the next line with a text, from the cursor on; return whether there is one."""
        wanted = text.lower()
        place, count = self.view.place, len(self.items)
        for steps in range(1, count + 1):
            at = (place + step * steps) % count
            line = self._render_item(self.items[at], _WHOLE)
            if wanted in "".join(span.text for span in line).lower():
                self.view.select_place(self.items, at)
                self.draw()
                self.post_message(self.Moved(self))
                return True
        return False

    def item(self) -> Item | None:
        """Return the selected item, None if there is none."""
        key = self.view.key
        return next((one for one in self.items if one.key == key), None) if key else None

    def on_resize(self) -> None:
        """Draw everything for the new size."""
        self._lines, self._strips = [], {}
        self.show(self.items, self._render_item, self._heading)

    def on_click(self, event: events.Click) -> None:
        """Select the row; open it with the second click."""
        place = self.view.top + event.y - len(self._heading)
        if event.y >= len(self._heading) and place < len(self.items) and self.items[place].key:
            self.view.select_place(self.items, place)
            self.draw()
            self.post_message(self.Opened(self) if event.chain > 1 else self.Moved(self))

    def on_mouse_scroll_down(self) -> None:
        """Scroll."""
        self.view.scroll(self.items, _WHEEL_LINES)
        self.draw()

    def on_mouse_scroll_up(self) -> None:
        """Scroll."""
        self.view.scroll(self.items, -_WHEEL_LINES)
        self.draw()

    def _strip(self, line: Line, cursor: str) -> Strip:
        width, base = self.size.width, self._theme[""]
        if cursor:
            base += self._theme[cursor]
        segments = []
        for text, style in cut(line, width):
            look = base + self._theme[style] if style else base
            segments.append(Segment(text, look + self._theme[cursor] if cursor else look))
        last = segments[-1].style if segments and line[-1].style.startswith("bar") else base
        gap = width - width_of(line)
        return Strip([*segments, Segment(" " * max(gap, 0), last)], width)
