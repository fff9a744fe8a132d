"""The board's state: notifications in, rows to show out. Pure, without a screen or a connection."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from hookd.cli.board.filter import Filter
from hookd.cli.board.text import Item, last_part
from hookd.display.fleet_order import STATUSES, by_project

MAX_EVENTS = 2_000
"""Events that the stream keeps."""

DENIED, ASKED = ("deny", "block"), ("ask", "defer")
"""Decisions that a person may want to see."""

_KEPT_ENDED = 20
"""Ended permission requests that are kept, to show what became of them."""

Row = Mapping[str, Any]


class Group(NamedTuple):
    """The heading of a project in the list of sessions."""

    project: str | None
    sessions: int
    cost: float


class BoardState:
    """What the daemon has reported so far, and what the user chose to see of it."""

    def __init__(self) -> None:
        self.agents: dict[str, Row] = {}
        self.pending: dict[int, Row] = {}
        self.ended: dict[int, Row] = {}
        self.filter = Filter()
        self.with_quiet = False
        self.only_stopped = False
        self.skipped = 0
        self.denied = 0
        self.asked = 0
        """How many events of the stream were denied, and asked about."""
        self.news: dict[int, Row] = {}
        """The last event of each session, by its number."""
        self._fleet: list[Item] | None = None
        """The arranged fleet; None after a change."""
        self._events: list[Item] = []
        self._shown: list[Item] = []
        self._last_id = 0

    @property
    def last_id(self) -> int:
        """The number of the newest event that has arrived; 0 without one."""
        return self._last_id

    def replace_agents(self, rows: Sequence[Row]) -> None:
        """Take the whole fleet: a new subscription begins with it."""
        self.agents = {str(row["agent"]): row for row in rows}
        self._fleet = None

    def change_agents(self, rows: Sequence[Row], gone: Sequence[str]) -> None:
        """Take what has changed in the fleet."""
        for name in gone:
            self.agents.pop(str(name), None)
        self.agents |= {str(row["agent"]): row for row in rows}
        self._fleet = None

    def add_events(self, rows: Sequence[Row], skipped: int = 0) -> None:
        """Append new events. A row whose number is in the stream replaces that one."""
        fresh = [row for row in rows if row["id"] > self._last_id]
        for row in rows[: len(rows) - len(fresh)]:
            self._replace(row)
        self.skipped += skipped
        for row in fresh:
            self._last_id = max(self._last_id, row["id"])
            self._note(row)
        items = [Item(str(row["id"]), row) for row in fresh]
        self._events += items
        self._shown += filter(self._shows, items)
        if len(self._events) > 2 * MAX_EVENTS:  # rarely, since it copies
            self._trim()

    def change_approvals(self, pending: Sequence[Row], ended: Sequence[Row]) -> None:
        """Take permission requests that wait, or no longer do."""
        for row in ended:
            self.pending.pop(row["id"], None)
            self.ended[row["id"]] = row
        for number in list(self.ended)[:-_KEPT_ENDED]:
            del self.ended[number]
        self.pending |= {row["id"]: row for row in pending}

    def forget_approvals(self) -> None:
        """Drop the requests that waited: their daemon has ended."""
        self.pending = {}

    def choose(
        self,
        *,
        filter_: Filter | None = None,
        with_quiet: bool | None = None,
        only_stopped: bool | None = None,
    ) -> None:
        """Change what is shown; None leaves a choice as it is."""
        self.filter = self.filter if filter_ is None else filter_
        self.with_quiet = self.with_quiet if with_quiet is None else with_quiet
        self.only_stopped = self.only_stopped if only_stopped is None else only_stopped
        self._shown = list(filter(self._shows, self._events))
        self._fleet = None

    def event(self, number: int) -> Row | None:
        """Return an event of the stream by its number, None if it is no longer there."""
        return next((row for _, row in reversed(self._events) if row["id"] == number), None)

    def stream(self) -> list[Item]:
        """Return the events to show, oldest first; the list is the state's own."""
        return self._shown

    def approvals(self) -> list[Item]:
        """Return the permission requests that wait, the first to end at the top."""
        waiting = sorted(self.pending.values(), key=lambda row: (str(row.get("until")), row["id"]))
        return [Item(str(row["id"]), row) for row in waiting]

    def fleet(self) -> list[Item]:
        """Return the sessions below a heading for each project, the urgent ones first."""
        if self._fleet is None:
            self._fleet = self._arranged()
        return self._fleet

    def _arranged(self) -> list[Item]:
        found: list[Item] = []
        for project, rows in by_project(self._visible()):
            cost = sum(row.get("cost") or 0.0 for row in rows)
            found.append(Item(None, Group(project, len(rows), cost)))
            found += [Item(str(row["agent"]), row) for row in rows]
        return found

    def counts(self) -> dict[str, int]:
        """Return how many sessions have each status, those of the board's order."""
        found = dict.fromkeys(STATUSES, 0)
        for row in self.agents.values():
            found[str(row["status"])] = found.get(str(row["status"]), 0) + 1
        return found

    def hidden(self) -> int:
        """Return how many sessions the choices leave out."""
        return len(self.agents) - sum(item.key is not None for item in self.fleet())

    def _visible(self) -> list[Row]:
        return [
            row
            for row in self.agents.values()
            if (self.with_quiet or not row.get("quiet")) and self.filter.shows_agent(row)
        ]

    def _shows(self, item: Item) -> bool:
        row = item.value
        if self.only_stopped and row.get("decision") not in (*DENIED, *ASKED):
            return False
        return self.filter.shows_event(row)

    def _note(self, row: Row) -> None:
        """Count an event, and keep it as the last one of its session."""
        self._count(row, 1)
        if row.get("sessionId") is not None:
            self.news[row["sessionId"]] = row

    def _replace(self, row: Row) -> None:
        """Take an event again: its user hooks have run since."""
        item = Item(str(row["id"]), row)
        for place in range(len(self._events) - 1, -1, -1):
            if self._events[place].key == item.key:
                self._count(self._events[place].value, -1)
                self._count(row, 1)
                self._events[place] = item
                self._shown = list(filter(self._shows, self._events))
                return

    def _count(self, row: Row, by: int) -> None:
        self.denied += by * (row.get("decision") in DENIED)
        self.asked += by * (row.get("decision") in ASKED)

    def _trim(self) -> None:
        """Drop the oldest events."""
        for _, row in self._events[:-MAX_EVENTS]:
            self._count(row, -1)
        del self._events[:-MAX_EVENTS]
        oldest = self._events[0].value["id"]
        self._shown = [item for item in self._shown if item.value["id"] >= oldest]
        self.news = {key: row for key, row in self.news.items() if row["id"] >= oldest}


def project_name(path: str | None) -> str:
    """Return the last part of a project's path."""
    return last_part(path) or "no project"
