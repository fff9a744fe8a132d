"""Lines of the list of sessions: a heading for each project, a row for each session."""

from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from hookd.cli.board.state import Group, Row, project_name
from hookd.cli.board.stream_lines import about
from hookd.cli.board.text import (
    Line,
    Span,
    age,
    bar,
    clip,
    cut,
    fit,
    last_part,
    safe,
    spread,
    width_of,
)
from hookd.core.model.client_names import client_label
from hookd.display.amounts import dollars
from hookd.display.fleet_order import NEEDS_PERSON

SIGNS = {
    "error": ("✗", "bad"),
    "attention": ("▲", "warn"),
    "working": ("●", "good"),
    "checked": ("✓", "accent"),
    "idle": ("○", "dim"),
    "done": ("■", "dim"),
}
"""The sign and the style of each status. The word is beside the sign: colour alone says nothing."""

_FULL, _FULLER = 0.6, 0.8
"""Shares of a context window from which on its bar is yellow, and red."""


class _Column(NamedTuple):
    """A column: its title, its width, and the least width of the pane that has room for it."""

    title: str
    width: int
    least: int = 0


_PROMPT = "first prompt"
_COLUMNS = (
    _Column("status", 11),
    _Column("agent", 12),
    _Column("branch", 12, 100),
    _Column(_PROMPT, 0),
    _Column("task", 11, 110),
    _Column("client", 14, 140),
    _Column("last tool", 17, 74),
    _Column("context", 9),
    _Column("cost", 6, 92),
    _Column("since", 5),
)

_PLAIN = {
    "agent": ("agent", "title"),
    "branch": ("branch", "accent"),
    _PROMPT: ("firstPrompt", ""),
}
"""The key and the style of columns that show a value as it is."""


def titles(width: int) -> Line:
    """Return the line of the columns' titles."""
    return tuple(
        Span(fit(column.title, size, right=column.title in ("cost", "since")) + " ", "dim")
        for column, size in _sizes(width)
    )


def heading(group: Group, width: int, home: str) -> Line:
    """Return the line of a project: its name and folder, its sessions, their cost."""
    path = safe(group.project or "")
    if home and path.startswith(f"{home}/"):
        path = "~" + path.removeprefix(home)
    count = f"{group.sessions} session{'s' * (group.sessions != 1)}"
    cost = f"  ${group.cost:.2f}" if group.cost else ""
    name = clip(safe(project_name(group.project)), width // 2)
    left = (Span(name, "title"), Span(f"  {path}" if path else "", "dim"))
    right = (Span(f"{count}{cost} ", "dim"),)
    return spread(cut(left, width - width_of(right) - 1), right, width)


def row(agent: Row, news: Row | None, width: int, now: datetime | None) -> Line:
    """Return the line of a session; `news` is its last event, None if it is not known."""
    spans: list[Span] = []
    for column, size in _sizes(width):
        spans += (*_cell(column.title, size, agent, news, now), Span(" "))
    return tuple(spans)


def context(share: float | None, width: int) -> Line:
    """Return a bar of the context window in use with its percentage, `width` columns in all."""
    if share is None:
        return (Span(fit("-", width), "dim"),)
    style = "good" if share < _FULL else "warn" if share < _FULLER else "bad"
    full, empty = bar(share, width - 5)
    return (Span(full, style), Span(empty, "dim"), Span(f"{min(share, 9.99):>5.0%}", style))


def status(word: str, width: int) -> Span:
    """Return a status with its sign."""
    sign, style = SIGNS.get(word, ("·", "dim"))
    return Span(fit(f"{sign} {safe(word)}", width), style)


@lru_cache(maxsize=8)
def _sizes(width: int) -> list[tuple[_Column, int]]:
    """Return the columns for a width of the pane, each with its own."""
    columns = [column for column in _COLUMNS if width >= column.least]
    room = width - sum(column.width + 1 for column in columns)
    return [(column, column.width or max(room, 0)) for column in columns]


def _cell(title: str, size: int, agent: Row, news: Row | None, now: datetime | None) -> Line:
    if title == "status":
        return (status(str(agent.get("status")), size),)
    if title == "context":
        return context(_share(agent.get("contextUsage")), size)
    right = title in ("cost", "since")
    text, style = _text(title, agent, news, now)
    return (Span(fit(text, size, right=right), style),)


def _text(title: str, agent: Row, news: Row | None, now: datetime | None) -> tuple[str, str]:
    """Return the text of a column, and its style."""
    if title == "since":
        waits = agent.get("status") in NEEDS_PERSON
        return age(agent.get("statusAt"), now), "warn" if waits else "dim"
    if title == "last tool":
        return safe(_tool(news)), "dim"
    if title == "cost":
        return _dollars(agent.get("cost")), ""
    if title == "client":
        return safe(client_label(agent.get("client"), agent.get("clientVersion"))) or "-", "dim"
    if title == "task":
        # An item is what it works on now, a task is where.
        return safe(agent.get("work")) or safe(last_part(agent.get("task"))) or "-", ""
    key, style = _PLAIN[title]
    mail = f"✉{agent['mail']} " if title == "agent" and agent.get("mail") else ""
    return f"{mail}{safe(agent.get(key)) or '-'}", "warn" if mail else style


def _tool(news: Row | None) -> str:
    if news is None:
        return "-"
    return f"{news['toolName']} {about(news)}" if news.get("toolName") else str(news.get("event"))


def _share(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def _dollars(value: Any) -> str:
    return dollars(value if isinstance(value, int | float) else None)
