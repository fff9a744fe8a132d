"""Content of each pane: its items, how one becomes a line, and the lines above them. Pure."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import NamedTuple

from hookd.cli.board import approval_lines, chrome, fleet_lines, stream_lines
from hookd.cli.board.sources import Detail
from hookd.cli.board.state import BoardState, Group
from hookd.cli.board.text import Item, Line, Span

_TITLES_FROM = 12
"""Height from which on the list of sessions has a line of titles."""


class View(NamedTuple):
    """What a pane shows."""

    items: Sequence[Item]
    render: Callable[[Item, int], Line]
    heading: Sequence[Line] = ()


def fleet(
    state: BoardState, now: datetime | None, size: tuple[int, int], home: str, *, focus: bool
) -> View:
    """Return the list of sessions."""
    width, height = size
    items = state.fleet()
    hidden = state.hidden()
    note = f"{hidden} not shown: z" if hidden and not state.filter else ""
    note = f"{hidden} filtered out" if state.filter and hidden else note
    head = [chrome.heading("sessions", note, width, focus=focus)]
    if height >= _TITLES_FROM:
        head.append(fleet_lines.titles(width))
    if not items:
        items = _empty(_no_sessions(state))

    def render(item: Item, columns: int) -> Line:
        if item.key is None:
            if isinstance(item.value, Group):
                return fleet_lines.heading(item.value, columns, home)
            return _as_is(item, columns)
        news = state.news.get(item.value.get("sessionId"))
        return fleet_lines.row(item.value, news, columns, now)

    return View(items, render, head)


def stream(state: BoardState, width: int, *, focus: bool, follows: bool) -> View:
    """Return the stream of events."""
    items = state.stream()
    parts = ["stopped only" if state.only_stopped else ""]
    parts.append(f"{state.skipped} left out" if state.skipped else "")
    parts.append("" if follows else "end follows again")
    note = "   ".join(filter(None, parts))
    head = [chrome.heading("events", note, width, focus=focus)]
    if not items:
        said = "No event matches." if state.filter or state.only_stopped else "No events yet."
        return View(_empty(said), _as_is, head)
    return View(items, lambda item, columns: stream_lines.line(item.value, columns), head)


def approvals(state: BoardState, now: datetime | None, width: int, *, focus: bool) -> View:
    """Return the list of permission requests that wait."""
    items = state.approvals()
    note = "v answers" if not focus else ""
    style = "bar.warn" if items else "bar.title"
    head = [chrome.heading("permission requests", note, width, focus=focus, style=style)]
    if not items:
        said = "No request waits. Requests are held here with the setting approvals.hold."
        # The list has a single line while nothing waits.
        return View(_empty(said)[1:], _as_is, head)
    return View(items, lambda item, columns: approval_lines.line(item.value, columns, now), head)


def detail(found: Detail | None, width: int, *, focus: bool) -> View:
    """Return the details of what is selected."""
    if found is None:
        return View((), _as_is, [chrome.heading("details", "", width, focus=focus)])
    head = [chrome.heading(found.title, found.note, width, focus=focus)]
    return View(found.items(width), _as_is, head)


def _no_sessions(state: BoardState) -> str:
    if state.agents and state.filter:
        return "No session matches the filter: f changes it, esc clears it."
    if state.agents:
        return "Every session is idle: z shows them."
    return "No session is open. One appears when a client runs with hookd: hookd install --all"


def _empty(text: str) -> list[Item]:
    return [Item(None, ()), Item(None, (Span(f"  {text}", "dim"),))]


def _as_is(item: Item, _width: int) -> Line:
    line: Line = item.value
    return line
