"""Dialogs of the board: a question with choices, a line of input, and the help."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from rich.style import Style
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input

from hookd.cli.board.chrome import heading
from hookd.cli.board.pane import Pane
from hookd.cli.board.text import Item, Line, Span, cut

_MAX_WIDTH = 100

CSS = """
ModalScreen { align: center middle; background: transparent; }
ModalScreen > Vertical { width: 100; height: auto; }
ModalScreen Pane { width: 100%; position: relative; }
ModalScreen Input { width: 100%; height: 1; border: none; padding: 0 1; }
"""


class Choice(NamedTuple):
    """Something to choose: its key steps through the options, the first is the default."""

    key: str
    title: str
    options: tuple[str, ...]


Chosen = Mapping[str, str]
"""The chosen option of each choice, by its title."""


class Question(ModalScreen[Chosen | None]):
    """Ask to confirm an act with `y`. The result is what was chosen, None for no.

    `lines` returns what is shown for the choices, at a width.
    """

    def __init__(
        self,
        title: str,
        lines: Callable[[Chosen, int], Sequence[Line]],
        act: str,
        styles: Mapping[str, Style],
        choices: Sequence[Choice] = (),
    ) -> None:
        super().__init__()
        self._title, self._act, self._choices = title, act, choices
        self._text_lines = lines
        self._chosen = {choice.title: choice.options[0] for choice in choices}
        self._pane = Pane("question", styles)

    def compose(self) -> ComposeResult:
        """Return the one pane."""
        with Vertical():
            yield self._pane

    def on_mount(self) -> None:
        """Show the question."""
        self._draw()

    def on_resize(self) -> None:
        """Fit it to the terminal."""
        self._draw()

    def on_key(self, event: events.Key) -> None:
        """Step through a choice, confirm, or scroll; any other key changes nothing."""
        event.stop()
        key = event.character or event.key
        if key == "y":
            self.dismiss(self._chosen)
        elif event.key in ("escape", "n", "q", "ctrl+c"):
            self.dismiss(None)
        elif event.key in ("up", "down"):
            self._pane.move("rows", 1 if event.key == "down" else -1)
        elif event.key in ("pageup", "pagedown"):
            self._pane.move("pages", 1 if event.key == "pagedown" else -1)
        for choice in self._choices:
            if key == choice.key:
                place = choice.options.index(self._chosen[choice.title]) + 1
                self._chosen[choice.title] = choice.options[place % len(choice.options)]
                self._draw()

    def _draw(self) -> None:
        width = min(self.app.size.width, _MAX_WIDTH)
        items = [Item(None, line) for line in self._text_lines(self._chosen, width - 2)]
        items += [Item(None, ())] * bool(self._choices)
        items += [Item(None, self._choice_line(choice)) for choice in self._choices]
        self._pane.styles.height = min(len(items) + 2, self.app.size.height - 2)
        note = f"y {self._act}   esc cancel"
        self._pane.show(items, _indented, [heading(self._title, note, width, focus=True)])

    def _choice_line(self, choice: Choice) -> Line:
        spans = [Span(f" {choice.key} ", "key"), Span(f"{choice.title:<10}", "dim")]
        for option in choice.options:
            used = option == self._chosen[choice.title]
            spans.append(
                Span(f"[{option}] " if used else f" {option}  ", "title" if used else "dim")
            )
        return tuple(spans)


class Page(ModalScreen[None]):
    """Show lines until a key is pressed that is not for scrolling."""

    def __init__(self, title: str, lines: Sequence[Line], styles: Mapping[str, Style]) -> None:
        super().__init__()
        self._title, self._page_lines = title, lines
        self._pane = Pane("page", styles)

    def compose(self) -> ComposeResult:
        """Return the one pane."""
        with Vertical():
            yield self._pane

    def on_mount(self) -> None:
        """Show the lines."""
        self.on_resize()

    def on_resize(self) -> None:
        """Fit them to the terminal."""
        height, width = self.app.size.height, min(self.app.size.width, _MAX_WIDTH)
        self._pane.styles.height = min(len(self._page_lines) + 1, height - 2)
        items = [Item(None, line) for line in self._page_lines]
        self._pane.show(items, _indented, [heading(self._title, "esc closes", width, focus=True)])

    def on_key(self, event: events.Key) -> None:
        """Scroll, or close."""
        event.stop()
        if event.key in ("up", "down", "j", "k"):
            self._pane.move("rows", 1 if event.key in ("down", "j") else -1)
        elif event.key in ("pageup", "pagedown", "space"):
            self._pane.move("pages", -1 if event.key == "pageup" else 1)
        else:
            self.dismiss(None)


class Wording(NamedTuple):
    """What an entry begins with, the example that it shows while empty, and lines above it."""

    text: str = ""
    example: str = ""
    lines: Sequence[Line] = ()


class Entry(ModalScreen[str | None]):
    """Ask for one line of text; the result is None if it was left with escape.

    `check` returns what is wrong with a text, "" if it can be used.
    """

    def __init__(
        self,
        title: str,
        styles: Mapping[str, Style],
        wording: Wording = Wording(),  # noqa: B008 - it is a constant
        check: Callable[[str], str] = lambda _text: "",
    ) -> None:
        super().__init__()
        self._title, self._entry_lines, self._check = title, wording.lines, check
        self._pane = Pane("entry", styles)
        self._input = Input(wording.text, placeholder=wording.example)

    def compose(self) -> ComposeResult:
        """Return the lines, and the input below them."""
        with Vertical():
            yield self._pane
            yield self._input

    def on_mount(self) -> None:
        """Show the lines; type into the input."""
        self._pane.can_focus = False
        self._draw("")
        self._input.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Take the text, or say what is wrong with it."""
        if wrong := self._check(event.value):
            self._draw(wrong)
        else:
            self.dismiss(event.value)

    def on_key(self, event: events.Key) -> None:
        """Leave without a text."""
        if event.key in ("escape", "ctrl+c"):
            event.stop()
            self.dismiss(None)

    def _draw(self, wrong: str) -> None:
        width = min(self.app.size.width, _MAX_WIDTH)
        lines = [*self._entry_lines, *([(Span(f"✗ {wrong}", "bad"),)] if wrong else [])]
        self._pane.styles.height = min(len(lines) + 1, self.app.size.height - 4)
        note = "enter takes it   esc cancels"
        items = [Item(None, line) for line in lines]
        self._pane.show(items, _indented, [heading(self._title, note, width, focus=True)])


def _indented(item: Item, width: int) -> Line:
    return cut((Span(" "), *item.value), width)
