"""Event feed: the rows of events that are new since a number, for subscribers.

It reads on the reader's connection, each page in one step, and leaves out the checks of
`hookd doctor`.
"""

import json
from collections.abc import Collection
from typing import Any

from hookd.lazy_dataclass import dataclass
from hookd.store.reader import Reader

MAX_EVENTS = 500
"""Events of one page; of more, these are the newest."""

_COLUMNS = (
    "id", "at", "event", "sessionId", "claudeSessionId", "agent", "agentId", "project", "toolName",
    "decision", "rule", "payload", "durationUs", "pending",
)  # fmt: skip
_SELECT = (
    "SELECT e.id, e.at, e.event, e.session_id, e.claude_session_id, s.owner, e.agent_id, p.path,"
    " e.tool_name, e.decision, e.decided_by, e.payload, e.duration_us, e.pending FROM events e"
    " LEFT JOIN sessions s ON s.id = e.session_id LEFT JOIN projects p ON p.id = s.project_id"
)
_NEW = f"{_SELECT} WHERE e.id > ? AND e.id <= ? AND e.kind = 'hook' ORDER BY e.id DESC LIMIT ?"
_COMPLETED = f"{_SELECT} WHERE e.id IN (SELECT value FROM json_each(?)) AND NOT e.pending"  # noqa: S608
_NEWEST = "SELECT coalesce(max(id), 0) FROM events"
_PENDING = "SELECT id FROM events WHERE id > ? AND id <= ? AND pending = 1"
# Counting the rows would read them. Ids of events are consecutive, but for canaries, and for what
# was deleted, mostly at the beginning.
_LEFT_OUT = (
    "SELECT ?2 - 1 - max(?1, (SELECT min(id) FROM events) - 1)"
    " - (SELECT count(*) FROM events WHERE kind = 'canary' AND id > ?1 AND id < ?2)"
)

NO_LIMIT = 2**63 - 1
"""As `until`: all that there are."""

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Page:
    """Rows of events, the oldest first, and about how many older ones were left out."""

    rows: tuple[Row, ...]
    skipped: int = 0


class EventFeed:
    """Pages of the events table."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    async def newest(self) -> int:
        """Return the number of the newest event, 0 without one."""
        ((number,),) = await self._reader.fetch(_NEWEST)
        return int(number)

    async def after(self, number: int, until: int = NO_LIMIT) -> Page:
        """Return the events with a higher number, up to `until`."""
        found = await self._reader.fetch(_NEW, (number, until, MAX_EVENTS + 1))
        rows = tuple(_row(values) for values in reversed(found[:MAX_EVENTS]))
        if len(found) <= MAX_EVENTS:
            return Page(rows)
        ((skipped,),) = await self._reader.fetch(_LEFT_OUT, (number, rows[0]["id"]))
        return Page(rows, max(1, skipped))

    async def pending(self, until: int) -> set[int]:
        """Return the events among the last ones whose user hooks still run."""
        return {row[0] for row in await self._reader.fetch(_PENDING, (until - MAX_EVENTS, until))}

    async def completed(self, numbers: Collection[int]) -> tuple[Row, ...]:
        """Return those of the events whose user hooks have run."""
        found = await self._reader.fetch(_COMPLETED, (json.dumps(sorted(numbers)),))
        return tuple(map(_row, found))


def _row(values: tuple[Any, ...]) -> Row:
    return dict(zip(_COLUMNS, values, strict=True))
