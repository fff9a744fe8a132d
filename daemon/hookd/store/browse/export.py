"""Recorded events to export: read from the database file in windows of event numbers.

Each window is a statement of its own, so that memory stays bounded and the write-ahead log can be
emptied meanwhile. The share of the numbers that were read says how far an export is.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from hookd.core.model.method import Rows
from hookd.lazy_dataclass import dataclass
from hookd.store.replays import open_recorded

_WINDOW = 1_000
"""Event numbers that one statement reads."""

_ROWS = 50
"""Rows that are handed on together: at most 8 kB each, and 64 kB with whole payloads."""

_MAX_FOUND = 4
"""Sessions or projects that are returned where a name is ambiguous."""

_BOUNDS = (
    "SELECT coalesce((SELECT min(id) FROM events WHERE at >= ?), 0),"
    " coalesce((SELECT max(id) FROM events), 0)"
)
_EVENTS = (
    "SELECT e.*, {body} FROM event_overview e {join}"
    " WHERE e.id > ? AND e.id <= ? AND e.kind = 'hook' {tests} ORDER BY e.id"
)
_BODY = ("b.zlib AS body", "LEFT JOIN bodies b ON b.event_id = e.id")
_NO_BODY = ("NULL AS body", "")


@dataclass(frozen=True, slots=True)
class Selection:
    """Which events are exported; None sets no condition.

    `since` is a time as it is stored, `session` a session's number, `project` a root folder.
    `bodies`: with the whole payloads.
    """

    since: str | None = None
    session: int | None = None
    claude_session_id: str | None = None
    agent: str | None = None
    client: str | None = None
    project: str | None = None
    event: str | None = None
    decision: str | None = None
    rule: str | None = None
    bodies: bool = False


@dataclass(frozen=True, slots=True)
class Batch:
    """Some events, oldest first; so much of `total` is read after them."""

    rows: Rows
    done: int
    total: int


class EventExport:
    """The events of a database file. Raise DatabaseError if the file cannot be read."""

    def __init__(self, path: Path) -> None:
        self._db = open_recorded(path)
        self._db.text_factory = lambda raw: raw.decode("utf-8", "replace")

    def __enter__(self) -> "EventExport":
        """Return the export itself."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Close the database."""
        self._db.close()

    def sessions(self, key: str) -> list[str]:
        """Return Claude Code's ids of the sessions that begin with a text, a few at most."""
        sql = (
            "SELECT DISTINCT claude_session_id FROM sessions WHERE claude_session_id >= ?1"
            " AND substr(claude_session_id, 1, length(?1)) = ?1 ORDER BY 1 LIMIT ?2"
        )
        return [name for (name,) in self._db.execute(sql, (key, _MAX_FOUND))]

    def has_session(self, number: int) -> bool:
        """Return whether there is a session of this number."""
        sql = "SELECT 1 FROM sessions WHERE id = ?"
        return self._db.execute(sql, (number,)).fetchone() is not None

    def projects(self, name: str, root: str) -> list[str]:
        """Return the project in the folder `root`, or those whose folder is called `name`."""
        sql = (
            "SELECT path FROM projects WHERE path = ?1 UNION ALL SELECT path FROM projects"
            " WHERE name = ?2 AND NOT EXISTS (SELECT 1 FROM projects WHERE path = ?1) LIMIT ?3"
        )
        return [path for (path,) in self._db.execute(sql, (root, name, _MAX_FOUND))]

    def batches(self, selection: Selection) -> Iterator[Batch]:
        """Yield the selected events, oldest first. Raise sqlite3.Error for a damaged file."""
        first, last = self._db.execute(_BOUNDS, (selection.since or "",)).fetchone()
        if not first:
            return
        below = first - 1
        sql, args = _statement(selection)
        for start in range(below, last, _WINDOW):
            end = min(start + _WINDOW, last)
            with closing(self._db.execute(sql, (start, end, *args))) as found:
                names = tuple(column[0] for column in found.description)
                while rows := tuple(found.fetchmany(_ROWS)):
                    place = names.index("id")
                    yield Batch(Rows(names, rows), rows[-1][place] - below, last - below)
            yield Batch(Rows(names, ()), end - below, last - below)


def _statement(selection: Selection) -> tuple[str, tuple[object, ...]]:
    """Return the statement of a window, and its arguments after the two bounds."""
    equal = {
        "e.session_id": selection.session,
        "e.claude_session_id": selection.claude_session_id,
        "e.agent": selection.agent,
        "e.client": selection.client,
        "e.project": selection.project,
        "e.event": selection.event,
        "e.decision": selection.decision,
        "e.decided_by": selection.rule,
    }
    tests = {f"AND {name} = ?": value for name, value in equal.items() if value is not None}
    if selection.since is not None:
        tests["AND e.at >= ?"] = selection.since
    body, join = _BODY if selection.bodies else _NO_BODY
    sql = _EVENTS.format(body=body, join=join, tests=" ".join(tests))
    return sql, tuple(tests.values())


StoreError = sqlite3.Error
"""The database file is damaged, or locked for too long."""
