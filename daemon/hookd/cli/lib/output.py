"""Print results: tables and facts for people, aligned text for pipes, and JSON."""

import json
import re
import sys
import textwrap
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, Literal

import click

from hookd import paths
from hookd.display.amounts import local_time
from hookd.display.text import one_line, safe_json
from hookd.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from rich.console import Console

_MAX_CELL_CHARS = 400
"""Characters of a cell that a terminal shows."""

_MIN_WRAPPED_CHARS = 20
"""Least columns of a value that is wrapped."""

_MIN_COLUMN_CHARS = 8
"""Width below which no column of longer text is narrowed."""

_GAP = 2

_MIN_WIDTH, _MAX_DIGITS = 20, 5
"""Columns of the narrowest screen, and digits of COLUMNS that make no sense."""

_MAX_LINE_CHARS = 100
"""Longest line of text for people."""

_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")
_HUMP = re.compile(r"(?<=[a-z0-9])([A-Z])")

cell = one_line


def text(value: Any) -> str:
    """Return a cell for people: a dash for an empty value, local time for a timestamp."""
    if value in (None, "", [], {}):
        return "-"
    if isinstance(value, str) and _TIME.fullmatch(value):
        return local_time(value)
    return cell(value)


@dataclass(frozen=True)
class Column:
    """One column: `key` finds a row's value, `show` makes it text.

    On a narrow terminal, it is folded to at least `least` characters; a `firm` one keeps its width,
    and a `cut` one stays on one line. `spare` ones are omitted before any is folded, the last
    first. `styles` are rich's, by the text of the cell.
    """

    title: str
    key: Any
    show: Callable[[Any], str] = text
    firm: bool = False
    cut: bool = False
    right: bool = False
    least: int = _MIN_COLUMN_CHARS
    spare: bool = False
    styles: Mapping[str, str] = field(default_factory=dict)


def moment(title: str, key: str) -> Column:
    """Return a column of timestamps; a narrow one wraps after the date."""
    return Column(title, key, least=len("09:00:00+01:00"))


def show(rows: Sequence[Any], columns: Sequence[Column], *, as_json: bool, empty: str) -> None:
    """Print rows, mappings or sequences; `empty` is printed if there are none."""
    if as_json:
        show_json(rows)
        return
    if not rows:
        click.echo(empty)
        return
    if (width := screen_width()) is not None:
        draw(console(width), rows, columns)
    else:
        _align(columns, _cells(rows, columns))


def folded(text: str, indent: int = 0) -> str:
    """Return a text in lines that fit the terminal, or 100 columns in a pipe."""
    room = min(screen_width() or _MAX_LINE_CHARS, _MAX_LINE_CHARS)
    space = " " * indent
    words = " ".join(text.split())
    return textwrap.fill(
        words,
        max(room, indent + 2 * _MIN_COLUMN_CHARS),
        initial_indent=space,
        subsequent_indent=space,
        break_on_hyphens=False,
    )


def screen_width() -> int | None:
    """Return the columns that a line may have: of the terminal, else COLUMNS; None: any number."""
    if sys.stdout.isatty():
        return console().width
    columns = paths.variable("COLUMNS") or ""
    wide = columns.isascii() and columns.isdecimal() and len(columns) < _MAX_DIGITS
    return max(int(columns), _MIN_WIDTH) if wide and int(columns) else None


def has_colours() -> bool:
    """Return whether stdout shows colours."""
    return sys.stdout.isatty() and console().color_system is not None


def heading(title: str) -> str:
    """Return a heading: bold where stdout shows colours."""
    return click.style(title, bold=True) if has_colours() else title


def fitted(content: str, width: int) -> str:
    """Return a text of exactly so many columns: padded, or cut with an ellipsis."""
    if _width(content) <= width:
        return content + " " * (width - _width(content))
    kept = ""
    for char in content:
        if _width(kept + char) >= width:
            break
        kept += char
    return f"{kept}…" + " " * (width - _width(kept) - 1)


def console(width: int | None = None) -> "Console":
    """Return rich's console, without colours if the terminal has none or NO_COLOR is set."""
    from rich.console import Console  # noqa: PLC0415 - slow to import, and only needed to draw

    colours: Literal["auto"] | None = None if paths.variable("NO_COLOR") else "auto"
    return Console(color_system=colours, highlight=False, width=width)


def draw(screen: "Console", rows: Sequence[Any], columns: Sequence[Column]) -> None:
    """Draw a table that fits the screen; too many columns are stacked."""
    from rich.box import SIMPLE_HEAD  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    columns = _spared(rows, columns, screen.width)
    cells = [[_cut(content) for content in line] for line in _cells(rows, columns)]
    widths = _fit(columns, cells, screen.width)
    if widths is None:
        _stack(columns, cells, screen.width)
        return
    gap = (0, _GAP - 1, 0, 0)  # the box adds one
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=gap, header_style="")
    for column, width in zip(columns, widths, strict=True):
        side: Literal["left", "right"] = "right" if column.right else "left"
        over: Literal["ellipsis", "fold"] = "ellipsis" if column.cut else "fold"
        heading = Text(column.title, "bold")
        table.add_column(heading, width=width, justify=side, no_wrap=column.cut, overflow=over)
    for line in cells:
        pairs = zip(columns, line, strict=True)
        table.add_row(*(Text(content, column.styles.get(content, "")) for column, content in pairs))
    screen.print(table)


def _cells(rows: Sequence[Any], columns: Sequence[Column]) -> list[list[str]]:
    return [[column.show(row[column.key]) for column in columns] for row in rows]


def show_json(value: Any) -> None:
    """Print a value as JSON: indented on a terminal, else one line."""
    click.echo(json_text(value, indent=2 if sys.stdout.isatty() else None))


def show_done(sentence: str, facts: Mapping[str, Any], *, as_json: bool) -> None:
    """Print what a command has done: the sentence for people, or the facts as JSON."""
    if as_json:
        show_json(facts)
    else:
        click.echo(sentence)


def json_text(value: Any, indent: int | None = None) -> str:
    """Return a value as JSON text that is safe to print."""
    return safe_json(json.dumps(value, ensure_ascii=False, indent=indent))


def show_facts(facts: Mapping[str, Any], title: str = "") -> None:
    """Print one line for each fact below a title; keys in camelCase are spelled as words.

    On a screen, a value that is too long continues on the next line.
    """
    if title:
        click.echo(title)
    names = {_HUMP.sub(lambda hump: " " + hump[0].lower(), key): key for key in facts}
    width = max(map(len, names), default=0) + 2
    screen = screen_width()
    room = max(screen - width - 2, _MIN_WRAPPED_CHARS) if screen else None
    for name, key in names.items():
        content = text(facts[key])
        if room and _width(content) > room:
            lines = textwrap.wrap(content, room, break_long_words=False, break_on_hyphens=False)
            content = f"\n{' ' * (width + 2)}".join(lines)
        click.echo(f"  {name:<{width}}{content}")


def _align(columns: Sequence[Column], cells: list[list[str]]) -> None:
    lines = [[column.title for column in columns], *cells]
    widths = [max(map(_width, line)) for line in zip(*lines, strict=True)]
    for line in lines:
        padded = []
        for column, content, width in zip(columns, line, widths, strict=True):
            space = " " * (width - _width(content))
            padded.append(space + content if column.right else content + space)
        click.echo("  ".join(padded).rstrip())


def _width(content: str) -> int:
    """Return the width of a text on a terminal, in columns."""
    if content.isascii():
        return len(content)
    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in content)
    return len(content) + wide - sum(bool(unicodedata.combining(char)) for char in content)


def _cut(content: str) -> str:
    return content if len(content) <= _MAX_CELL_CHARS else content[: _MAX_CELL_CHARS - 1] + "…"


def _fit(columns: Sequence[Column], cells: list[list[str]], room: int) -> list[int] | None:
    """Return the width of each column, the widest narrowed first; None if they do not fit."""
    texts = zip(*[[column.title for column in columns], *cells], strict=True)
    widths = [max(map(_width, column)) for column in texts]
    while sum(widths) + _GAP * (len(widths) - 1) > room:
        loose = [
            place
            for place, column in enumerate(columns)
            if not column.firm and widths[place] > column.least
        ]
        if not loose:
            return None
        widths[max(loose, key=lambda place: widths[place])] -= 1
    return widths


def _spared(rows: Sequence[Any], columns: Sequence[Column], room: int) -> Sequence[Column]:
    """Return the columns that fit without folding, or all but the spare ones."""
    left = list(columns)
    while any(column.spare for column in left):
        lines = [[column.title for column in left], *_cells(rows, left)]
        widths = [max(map(_width, line)) for line in zip(*lines, strict=True)]
        if sum(widths) + _GAP * (len(widths) - 1) <= room:
            break
        left.remove([column for column in left if column.spare][-1])
    return left


def _stack(columns: Sequence[Column], cells: list[list[str]], room: int) -> None:
    width = max(_width(column.title) for column in columns) + 2
    left = max(room - width, _MIN_COLUMN_CHARS)
    for number, line in enumerate(cells):
        if number:
            click.echo()
        for column, content in zip(columns, line, strict=True):
            title = column.title + " " * (width - _width(column.title))
            limit = left if _width(content) == len(content) else left // 2
            lines = textwrap.wrap(content, limit, break_on_hyphens=False) or [""]
            click.echo(title + f"\n{' ' * width}".join(lines))
