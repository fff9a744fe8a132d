"""Details for the board from the database file: a session's time line, the reasons of a decision.

The daemon is asked only who evaluates an event; without it, that is left out.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from hookd.cli.board import explanation_lines, timeline_lines
from hookd.cli.board.sources import Detail
from hookd.cli.board.state import Row
from hookd.cli.board.text import Item, Span, safe, wrapped
from hookd.cli.lib.client import call
from hookd.cli.lib.errors import Problem
from hookd.clients import answers
from hookd.display.explanation import Explanation, Judges, explain, judges_of
from hookd.display.timeline import Entry, Parts, folded, time_line, told_only
from hookd.store.browse import decisions, sessions
from hookd.store.browse.connection import BrowseError, Browser, Connection


class DatabaseDetails:
    """The details of a running board; see `sources.Details`."""

    def __init__(self, database: Path) -> None:
        self._browser = Browser(database)

    def session(self, row: Row, *, told: bool) -> Detail:
        """Return the time line of a session."""
        name = str(row["agent"])
        if row.get("sessionId") is None:
            return said(name, "This agent has no session yet.")
        number = int(row["sessionId"])

        def query(db: Connection) -> Any:
            return sessions.time_line(db, number)

        return self._read(name, query, lambda found: _time_line(row, found, told=told))

    def event(self, number: int) -> Detail:
        """Return the explanation of an event's decision."""
        name = f"event {number}"

        def query(db: Connection) -> Any:
            return decisions.one(db, number)

        return self._read(name, query, lambda event: _explained(name, event))

    def _read(
        self, title: str, query: Callable[[Connection], Any], show: Callable[[Any], Detail]
    ) -> Detail:
        try:
            return show(self._browser.read(query))
        except BrowseError as error:
            return said(title, f"{error} Next: {error.step}")


def said(title: str, sentence: str) -> Detail:
    """Return a detail that is one sentence."""

    def items(width: int) -> list[Item]:
        text = safe(sentence[:1].upper() + sentence[1:])
        return [Item(None, (Span(f" {part}", "warn"),)) for part in wrapped(text, width - 2)]

    return Detail(title, "", items)


def explained(title: str, found: Explanation) -> Detail:
    """Return an explanation as a detail."""

    def items(width: int) -> list[Item]:
        return [Item(None, line) for line in explanation_lines.lines(found, width)]

    return Detail(title, "", items)


def time_line_of(row: Row, entries: Sequence[Entry], *, told: bool) -> Detail:
    """Return the time line of a session as a detail; with `told` only texts for the model."""
    shown = told_only(entries) if told else folded(entries)

    def items(width: int) -> list[Item]:
        lines = timeline_lines.items(shown, width, row.get("project"), told=told)
        if not lines:
            none = "hookd told this model nothing yet." if told else "No events yet."
            lines = [Item(None, (Span(f" {none}", "dim"),))]
        return [*timeline_lines.facts(row, width), *lines]

    return Detail(str(row["agent"]), "only texts for the model" if told else "", items)


def _explained(title: str, event: dict[str, Any] | None) -> Detail:
    if event is None:
        return said(title, f"There is no {title}: it was removed, or never stored.")
    judges, texts = _judges(event["event"]), answers.told(event["event"], event["answer"])
    return explained(title, explain(event, judges, event["guards"], event["hookRuns"], texts))


def _judges(event: str) -> Judges:
    """Return who evaluates events of a name; without a daemon, none is named."""
    try:
        policies = call("events.list", {"limit": 1, "kind": None})["judges"].get(event, [])
    except Problem:
        return Judges()
    return judges_of(event, policies)


def _time_line(row: Row, found: sessions.SessionRows, *, told: bool) -> Detail:
    parts = Parts(found.events, found.messages, found.injections, found.hook_runs)
    return time_line_of(row, time_line(parts, answers.told), told=told)
