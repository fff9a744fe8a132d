"""Recorded events to replay, and the throw-away database in memory that they are replayed in."""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from hookd.core.model.effects.messages import AddGuard
from hookd.lazy_dataclass import dataclass
from hookd.store.database import SCHEMA, DatabaseError, newer
from hookd.store.writes import write

_LASTING = ("projects", "skills", "tasks", "guards", "allowances")
"""Tables whose rows apply to a replay as they are; allowances apply from their time on."""

_EVENTS = (
    "SELECT id, coalesce(claude_session_id, ''), at >= ?1 FROM events WHERE kind = 'hook'"
    " AND id >= (SELECT min(id) FROM events WHERE at >= ?1 OR session_id IN"
    "  (SELECT session_id FROM events WHERE at >= ?1)) ORDER BY id"
)
_EVENT = (
    "SELECT e.id, e.at, e.event, e.decision, e.decided_by, e.payload, e.payload_sha256, b.zlib,"
    " e.answer, e.resolved_json, s.owner, p.path, s.run, s.client, s.client_version"
    " FROM events e"
    " LEFT JOIN bodies b ON b.event_id = e.id LEFT JOIN sessions s ON s.id = e.session_id"
    " LEFT JOIN projects p ON p.id = s.project_id WHERE e.id = ?"
)
_HOOK_RUNS = (
    "SELECT hook_id, decision FROM hook_runs WHERE event_id = ? AND NOT background ORDER BY id"
)
_LOGGED = (
    "SELECT s.claude_session_id, m.timestamp FROM messages m JOIN sessions s ON s.id = m.session_id"
    " WHERE m.role = 'log' AND s.agent_id IS NULL ORDER BY m.id"
)
_EFFORTS = (
    "SELECT id, task_dir, skill, ordinal, mode, project_id, metadata_json,"
    " discovered_directives_json FROM efforts"
)
_PHASES = "SELECT effort_id, phase_label, created_at FROM phase_history ORDER BY id"


@dataclass(frozen=True, slots=True)
class EventRow:
    """A recorded event; `body` is the compressed payload if `payload` is cut.

    `hooks` are the ids and decisions of the user hooks that ran on it.
    """

    id: int
    at: str
    event: str
    decision: str | None
    decided_by: str | None
    payload: str
    payload_sha256: str | None
    body: bytes | None
    answer: str | None
    resolved: str | None
    agent: str | None
    project: str | None
    run: str | None
    client: str | None
    client_version: str | None
    hooks: tuple[tuple[str, str | None], ...] = ()


@dataclass(frozen=True, slots=True)
class LastingRows:
    """Rows of a database that apply to a replay: by table, with the trusted digests by root.

    `efforts` are rows by number, `phases` the phases of each with their times, `logged` the times
    of the log entries of each conversation.
    """

    tables: Mapping[str, tuple[tuple[Any, ...], ...]]
    trusted: Mapping[str, str]
    efforts: Mapping[int, tuple[Any, ...]]
    phases: Mapping[int, tuple[tuple[str, str], ...]]
    logged: Mapping[str, tuple[str, ...]]


NO_ROWS = LastingRows({}, {}, {}, {}, {})


def open_recorded(path: Path) -> sqlite3.Connection:
    """Open the database to read recorded events. Raise DatabaseError if that is not possible."""
    if found := newer(path):
        raise DatabaseError(found, "upgrade this hookd; hookd --version says what it is")
    try:
        db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=2.0)
    except sqlite3.Error as error:
        raise DatabaseError(
            f"the database {path} cannot be read: {error}", "hookd doctor"
        ) from error
    try:
        with closing(memory_database()) as own:
            asked = "PRAGMA user_version"
            older = db.execute(asked).fetchone() != own.execute(asked).fetchone()
        if older:
            step = "hookd restart, which brings it up to date"
            raise DatabaseError(f"the database {path} is of an older hookd", step)
    except BaseException as error:
        db.close()
        if isinstance(error, sqlite3.Error):
            step = "hookd db check"
            raise DatabaseError(f"the database {path} cannot be read: {error}", step) from error
        raise
    return db


def session_events(db: sqlite3.Connection, since: str) -> Iterator[tuple[int, str, bool]]:
    """Yield number, conversation and whether it is in the window, of events in their order.

    It begins with the first event of the sessions that have one since then.
    """
    return iter(db.execute(_EVENTS, (since,)))


def event_row(db: sqlite3.Connection, number: int) -> EventRow | None:
    """Return a recorded event, None if it was deleted meanwhile. Raise sqlite3.Error."""
    row = db.execute(_EVENT, (number,)).fetchone()
    if row is None:
        return None
    hooks = tuple(db.execute(_HOOK_RUNS, (number,)).fetchall())
    return EventRow(*(*row, hooks))


def lasting_rows(db: sqlite3.Connection) -> LastingRows:
    """Return the rows that apply to a replay."""
    tables = {name: tuple(db.execute(f"SELECT * FROM {name}")) for name in _LASTING}  # noqa: S608
    phases: dict[int, list[tuple[str, str]]] = {}
    for effort, label, at in db.execute(_PHASES):
        phases.setdefault(effort, []).append((label, at))
    logged: dict[str, list[str]] = {}
    for conversation, at in db.execute(_LOGGED):
        logged.setdefault(conversation, []).append(at)
    return LastingRows(
        tables,
        dict(db.execute("SELECT root, digest FROM trusts")),
        {row[0]: row for row in db.execute(_EFFORTS)},
        {effort: tuple(found) for effort, found in phases.items()},
        {conversation: tuple(found) for conversation, found in logged.items()},
    )


def memory_database() -> sqlite3.Connection:
    """Return an empty database in memory, with the tables of the schema."""
    db = sqlite3.connect(":memory:", isolation_level=None, cached_statements=256)
    db.executescript(SCHEMA.read_text("utf-8"))
    return db


class ReplayDatabase:
    """A database in memory for the events of one session after the other.

    Each session begins with the lasting rows alone, and all that it stored is dropped at its end.
    """

    def __init__(self, rows: LastingRows) -> None:
        self.db = memory_database()
        for table, found in rows.tables.items():
            if table != "allowances" and found:
                self._insert(table, found)
        allowances = rows.tables.get("allowances", ())
        self._allowances = sorted(allowances, key=lambda row: str(row[-1]))
        self._logged = rows.logged
        self._conversation, self._allowed, self._reset = "", 0, 0

    def add_rule(self, name: str, rule: str, root: str | None) -> None:
        """Add a guard rule for the user, or for a project; it replaces one of that name there."""
        project = None
        if root is not None:
            name_of = root.rpartition("/")[2] or root
            columns = "(path, name, created_at) VALUES (?, ?, '')"
            self.db.execute(f"INSERT OR IGNORE INTO projects {columns}", (root, name_of))
            row = self.db.execute("SELECT id FROM projects WHERE path = ?", (root,)).fetchone()
            project = row[0]
        (last,) = self.db.execute("SELECT coalesce(max(id), 0) FROM guards").fetchone()
        scope = "user" if project is None else "project"
        write(self.db, AddGuard(last + 1, name, scope, project, None, rule), "")  # type: ignore[arg-type]

    def remove_rule(self, name: str) -> int:
        """Remove the guard rules of this name; return how many there were."""
        return self.db.execute("DELETE FROM guards WHERE name = ?", (name,)).rowcount

    def begin(self, conversation: str) -> None:
        """Begin a session."""
        self._conversation, self._allowed, self._reset = conversation, 0, 0
        self.db.execute("BEGIN")

    def end(self) -> None:
        """End a session, and drop what it stored."""
        self.db.execute("ROLLBACK")

    def advance(self, at: str) -> None:
        """Store what people did before this time: calls that they allowed, log entries."""
        first = self._allowed
        while self._allowed < len(self._allowances) and self._allowances[self._allowed][-1] <= at:
            self._allowed += 1
        if self._allowed > first:
            self._insert("allowances", self._allowances[first : self._allowed])
        logged, before = self._logged.get(self._conversation, ()), self._reset
        while self._reset < len(logged) and logged[self._reset] <= at:
            self._reset += 1
        if self._reset > before:
            sql = "UPDATE sessions SET heartbeat_counter = 0 WHERE claude_session_id = ?"
            self.db.execute(sql, (self._conversation,))

    def record(self, number: int, at: str, event: str, session_id: int | None) -> None:
        """Store that an event was evaluated: its number, and its time in its session."""
        self.db.execute(
            "INSERT OR REPLACE INTO events (id, at, event, session_id, payload, result)"
            " VALUES (?, ?, ?, ?, '', '{}')",
            (number, at, event, session_id),
        )
        if session_id is not None:
            sql = "UPDATE sessions SET last_event_at = ? WHERE id = ?"
            self.db.execute(sql, (at, session_id))

    def close(self) -> None:
        """Close the database, which frees its memory."""
        self.db.close()

    def _insert(self, table: str, rows: Iterable[tuple[Any, ...]]) -> None:
        found = list(rows)
        marks = ", ".join("?" * len(found[0]))
        self.db.executemany(f"INSERT INTO {table} VALUES ({marks})", found)  # noqa: S608
