"""Reading what waits for the central store: as lines for COPY, in bulk, and row by row.

Two streams are sent, each by numbers of its own: `changes` are the rows of the outbox, `events`
those of the table `events`, which wait there. So an event costs its answer no second row.

SQLite builds the lines: Python would need several times as long for each field. The sync process
reads on a read-only connection of its own, while the daemon writes.
"""

import json
import sqlite3
from collections.abc import Sequence
from itertools import starmap
from pathlib import Path
from zlib import decompress

from hookd.core.model.claim import ClaimKind
from hookd.core.model.membership import Membership, Stream
from hookd.lazy_dataclass import dataclass
from hookd.store.facts.fleet import membership
from hookd.store.outbox_triggers import EVENT_FIELDS

__all__ = ["Batch", "EventContent", "OpenClaim", "Outbox", "OutboxRow", "Rows"]

_TASK = "replace(e.task_dir, rtrim(e.task_dir, replace(e.task_dir, '/', '')), '')"
# A merge into nothing leaves out the fields without a value: about half of them.
_SESSION = (
    "json_patch('{}', json_object('session', s.id, 'conversation', s.claude_session_id,"
    " 'agent', s.owner, 'subagent', s.agent_id, 'subagent_type', s.agent_type,"
    " 'parent', s.parent_session_id,"
    f" 'project', p.name, 'branch', s.branch, 'skill', e.skill, 'task', {_TASK},"
    " 'phase', e.current_phase, 'status', coalesce(a.status, s.status), 'client', s.client,"
    " 'client_version', s.client_version, 'model', s.model, 'context', s.context_usage,"
    " 'cost', s.cost, 'calls_since_log', s.heartbeat_counter, 'tool_calls', s.tool_calls,"
    " 'started_at', s.created_at, 'last_event_at', s.last_event_at, 'ended_at', s.ended_at,"
    " 'end_reason', s.end_reason))"
)
# The client of a session's first event is stored after the event.
_EVENT = "substr(o.body, 1, length(o.body) - 1) || ',\"client\":' || json_quote(s.client) || '}'"
_CHANGES = (
    "SELECT o.seq, o.kind, o.at, o.row_id, CASE o.kind"  # noqa: S608 - constants
    f" WHEN 'session' THEN {_SESSION} WHEN 'event' THEN {_EVENT}"
    " ELSE coalesce(o.body, '{}') END AS body"
    " FROM outbox o"
    " LEFT JOIN sessions s ON s.id = CASE o.kind WHEN 'session' THEN o.row_id"
    "  WHEN 'event' THEN json_extract(o.body, '$.session') END"
    " LEFT JOIN agents a ON o.kind = 'session' AND a.id = s.owner"
    " LEFT JOIN projects p ON o.kind = 'session' AND p.id = s.project_id"
    " LEFT JOIN efforts e ON o.kind = 'session' AND e.id = s.effort_id"
    "  AND e.lifecycle = 'active'"
    " WHERE o.seq > ?1 AND o.seq <= ?2 AND o.rejected IS NULL ORDER BY o.seq LIMIT ?3"
)
# As the view unsent_events, but SQLite would read that from the last number that was settled.
_EVENTS = (
    f"SELECT e.id AS seq, 'event' AS kind, e.at, e.id AS row_id, json_object({EVENT_FIELDS},"  # noqa: S608
    " 'client', s.client) AS body"
    " FROM events e LEFT JOIN sessions s ON s.id = e.session_id"
    " WHERE e.id > max(?1, (SELECT shipped_events FROM fleet_membership))"
    " AND e.id <= min(?2, (SELECT coalesce(last_event, ?2) FROM fleet_membership))"
    " AND e.pending = 0 AND e.kind IN ('hook', 'canary')"
    " AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.kind = 'event' AND o.row_id = e.id)"
    " ORDER BY e.id LIMIT ?3"
)
_ROWS: dict[Stream, str] = {"changes": _CHANGES, "events": _EVENTS}
_LINES = {
    stream: "SELECT count(*), min(seq), max(seq), CAST(group_concat(seq || char(9) || kind"  # noqa: S608
    " || char(9) || at || char(9) || replace(body, '\\', '\\\\'), char(10)) AS BLOB)"
    f" FROM ({rows})"
    for stream, rows in _ROWS.items()
}
# Up to this number no event waits but those that are read after it.
_LAST_UNSENT = (
    "SELECT max(shipped_events, coalesce(last_event, (SELECT max(id) FROM events), 0))"
    " FROM fleet_membership"
)
_CONTENT = (
    "SELECT e.id, e.payload, e.answer, b.zlib FROM events e LEFT JOIN bodies b ON b.event_id = e.id"
    " WHERE e.id IN (SELECT value FROM json_each(?))"
)
_OPEN = (
    "SELECT json_group_array(json_object('session', id, 'last_event_at', last_event_at,"
    " 'calls_since_log', heartbeat_counter, 'tool_calls', tool_calls))"
    " FROM sessions WHERE ended_at IS NULL ORDER BY id"
)
_LAST: dict[Stream, str] = {
    "changes": (
        "SELECT max(coalesce((SELECT max(seq) FROM outbox), 0),"
        " coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'outbox'), 0))"
    ),
    "events": "SELECT coalesce(max(id), 0) FROM events",
}

_CLAIMS = (
    "SELECT id, root, kind, pattern, conversation, session_id, agent, why, expires_at FROM claims"
    " WHERE released_at IS NULL AND automatic = 0 AND conversation NOT LIKE '@%' AND root <> '/'"
    " AND (expires_at IS NULL OR expires_at > ?) ORDER BY id"
)
_ROOTS = "SELECT DISTINCT repository FROM projects WHERE repository IS NOT NULL ORDER BY repository"

NO_LIMIT = 2**63 - 1
"""As `until`: all rows."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows as lines for COPY: number, kind, time and JSON, by tabs.

    `first` is the number of the first row, `last` that up to which nothing else is to be sent:
    there may be more numbers than rows, or no row at all.
    """

    count: int
    first: int
    last: int
    lines: bytes


@dataclass(frozen=True, slots=True)
class OpenClaim:
    """An open claim of this host in a repository, that is not automatic."""

    id: int
    root: str
    kind: ClaimKind
    pattern: str
    conversation: str
    session_id: int | None
    agent: str | None
    why: str | None
    expires_at: str | None


@dataclass(frozen=True, slots=True)
class OutboxRow:
    """A row as it is sent; `row_id` is the session or event. `body` is JSON."""

    seq: int
    kind: str
    at: str
    row_id: int | None
    body: str


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows one by one; `last` is the number up to which nothing else is to be sent."""

    rows: list[OutboxRow]
    last: int


@dataclass(frozen=True, slots=True)
class EventContent:
    """The payload of an event, whole where that is kept, and the answer, as JSON."""

    payload: str
    answer: str | None


class Outbox:
    """A read-only connection to the outbox of a database. Its methods raise sqlite3.Error."""

    def __init__(self, database: Path) -> None:
        uri = f"{database.absolute().as_uri()}?mode=ro"
        self._db = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)

    def close(self) -> None:
        """Close the connection."""
        self._db.close()

    def version(self) -> int:
        """Return a number that changes with each commit of another connection."""
        return int(self._db.execute("PRAGMA data_version").fetchone()[0])

    def membership(self) -> Membership | None:
        """Return the membership; None in no fleet."""
        return membership(self._db)

    def last(self, stream: Stream) -> int:
        """Return the highest number that was ever given."""
        return int(self._db.execute(_LAST[stream]).fetchone()[0])

    def batch(self, stream: Stream, after: int, limit: int, until: int = NO_LIMIT) -> Batch | None:
        """Return at most `limit` rows above a number, up to `until`; None if nothing is there."""
        passed = self._passed(stream, until)  # before the rows: they may be newer, not older
        args = (after, until, limit)
        count, first, last, lines = self._db.execute(_LINES[stream], args).fetchone()
        last = max(last or 0, passed if count < limit else 0)
        return Batch(count, first or 0, last, lines or b"") if last > after else None

    def rows(self, stream: Stream, after: int, limit: int, until: int = NO_LIMIT) -> Rows:
        """Return the same rows one by one."""
        passed = self._passed(stream, until)
        found = list(starmap(OutboxRow, self._db.execute(_ROWS[stream], (after, until, limit))))
        return Rows(found, max(found[-1].seq if found else 0, passed if len(found) < limit else 0))

    def _passed(self, stream: Stream, until: int) -> int:
        """Return up to which number no row is missing from those that are read after this."""
        if stream == "changes":
            return 0
        row = self._db.execute(_LAST_UNSENT).fetchone()
        return min(until, int(row[0])) if row else 0

    def open_claims(self, at: str) -> list[OpenClaim]:
        """Return the claims of this host that other hosts are to know, at a time."""
        return [OpenClaim(*row) for row in self._db.execute(_CLAIMS, (at,))]

    def repository_roots(self) -> list[str]:
        """Return the roots of the repositories that this host knows."""
        return [str(row[0]) for row in self._db.execute(_ROOTS)]

    def contents(self, events: Sequence[int]) -> dict[int, EventContent]:
        """Return the content of events; those that retention deleted are missing."""
        found = self._db.execute(_CONTENT, (json.dumps(events),))
        return {
            number: EventContent(decompress(body).decode() if body else payload, answer)
            for number, payload, answer, body in found
        }

    def open_sessions(self) -> str:
        """Return the open sessions with their counters and times, as JSON."""
        return str(self._db.execute(_OPEN).fetchone()[0])
