"""What a host wrote, and what the central store has of it, as values that can be compared."""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
from psycopg import Connection

from hookd.config.models import Settings
from hookd.core.fleet.deny_fields import without_fields

Result = tuple[str, str]
"""An event's name and decision, "" without one."""

COUNTERS = ("last_event_at", "calls_since_log", "tool_calls")
"""What of an open session goes up with the heartbeat."""

_SENT = "pending = 0 AND kind IN ('hook', 'canary') AND e.id > ?"
_EVENTS = (
    "SELECT e.id, e.at, e.event, e.kind, e.session_id, e.claude_session_id, e.tool_name,"
    " e.decision, e.decided_by, s.client, e.duration_us, e.payload, e.answer"
    f" FROM events e LEFT JOIN sessions s ON s.id = e.session_id WHERE {_SENT} ORDER BY e.id"
)
_SESSIONS = (
    "SELECT json_object('session', s.id, 'conversation', s.claude_session_id,"
    " 'subagent', s.agent_id, 'branch', s.branch, 'status', coalesce(a.status, s.status),"
    " 'client', s.client, 'model', s.model, 'context', s.context_usage, 'cost', s.cost,"
    " 'started_at', s.created_at, 'ended_at', s.ended_at, 'end_reason', s.end_reason,"
    " 'last_event_at', s.last_event_at, 'calls_since_log', s.heartbeat_counter,"
    " 'tool_calls', s.tool_calls)"
    " FROM sessions s LEFT JOIN agents a ON a.id = s.owner ORDER BY s.id"
)
_STORED_EVENTS = (
    "SELECT event_id, at, event, kind, session, conversation, tool, decision, decided_by,"
    " client, duration_us, detail, {} FROM hookd.events WHERE tenant = %s AND host = %s"
)


@dataclass
class Written:
    """A host's own database at the end.

    `events` has each event by its number, as a text. `gone` has the events of forgotten sessions
    that the store had counted before, `unsure` those that waited when they were forgotten.
    """

    mode: str
    events: dict[int, str] = field(default_factory=dict)
    times: list[tuple[str, Result]] = field(default_factory=list)
    durations: dict[int, int | None] = field(default_factory=dict)
    sessions: dict[int, dict[str, Any]] = field(default_factory=dict)
    gone: Counter[Result] = field(default_factory=Counter)
    unsure: Counter[Result] = field(default_factory=Counter)
    forgotten: int = 0
    waiting: int = 0
    rejected: int = 0
    dropped: int = 0
    shift: float = 0.0
    daemon: bool = False
    """Whether a daemon writes it: it adds to a long duration what comes after the commit."""
    client: int = 1
    """Version of the functions that its shipper calls at the end."""


@dataclass
class Stored:
    """The rows of a host in the central store."""

    events: list[tuple[int, str]] = field(default_factory=list)
    durations: dict[int, int | None] = field(default_factory=dict)
    sessions: list[tuple[int, dict[str, Any]]] = field(default_factory=list)
    minutes: Counter[tuple[str, Result]] = field(default_factory=Counter)
    """Events by minute, and by name and decision."""
    today: int = 0
    denied_today: int = 0
    open_sessions: int = 0
    attention: int = 0
    clock_s: float = 0.0
    epochs: int = 1
    schemas: Counter[int] = field(default_factory=Counter)
    """Events by the version of the functions that sent them."""


def written(database: Path, after: int = 0, forgotten: Iterable[str] = ()) -> Written:
    """Read a host's database: events above a number; `forgotten` are lines of its notes."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=10)) as db:
        (mode, dropped) = db.execute("SELECT mode, dropped FROM fleet_membership").fetchone()
        found = Written(mode, dropped=dropped)
        for row in db.execute(_EVENTS, (after,)) if mode != "status" else ():
            number, at, event = row[:3]
            found.durations[number] = row[-3]
            found.events[number] = _written_event(row, mode)
            found.times.append((at, (event, row[7] or "")))
        for (text,) in db.execute(_SESSIONS):
            session = json.loads(text)
            found.sessions[session.pop("session")] = _session(session)
        (found.waiting, found.rejected) = db.execute(
            "SELECT waiting, rejected FROM fleet_member"
        ).fetchone()
        _forgotten(found, db, forgotten)
    return found


def _written_event(row: tuple[Any, ...], mode: str) -> str:
    *columns, _duration, payload, answer = row
    detail = None
    if mode == "events":
        sent = without_fields(json.loads(payload), Settings().fleet.deny_fields)
        detail = {"payload": sent, "answer": answer and json.loads(answer)}
    return json.dumps([*columns[1:], detail], sort_keys=True)


def _forgotten(found: Written, db: sqlite3.Connection, lines: Iterable[str]) -> None:
    """Count the events of forgotten sessions; a note whose transaction was undone counts not."""
    notes = {note["session"]: note["events"] for note in map(json.loads, lines)}
    for number, events in notes.items():
        if db.execute("SELECT 1 FROM sessions WHERE id = ?", (number,)).fetchone():
            continue
        found.forgotten += 1
        for _, event, decision, waits in events if found.mode != "status" else ():
            (found.unsure if waits else found.gone)[event, decision] += 1


def stored(admin: Connection[Any], tenant: str, host: str, *, schema: bool) -> Stored:
    """Read the rows of a host; `schema`: the store has the next schema."""
    found, key = Stored(), (tenant, host)
    sql = _STORED_EVENTS.format("client_schema" if schema else "NULL")
    for number, at, *columns, duration, detail, version in admin.execute(sql.encode(), key):
        text = json.dumps([_time(at), *columns, detail], sort_keys=True)
        found.events.append((number, text))
        found.durations[number] = duration
        found.schemas[version or 1] += 1
    sql = "SELECT number, state FROM hookd.sessions WHERE tenant = %s AND host = %s"
    found.sessions = [(number, _session(state)) for number, state in admin.execute(sql, key)]
    sql = "SELECT minute, event, decision, count FROM hookd.minutes WHERE tenant = %s AND host = %s"
    for minute, event, decision, count in admin.execute(sql, key):
        found.minutes[_time(minute), (event, decision)] += count
    row = admin.execute(
        "SELECT events_today, denied_today, open_sessions, attention, clock_offset_ms,"
        " (SELECT count(*) FROM hookd.epochs e WHERE e.tenant = h.tenant AND e.host = h.host)"
        " FROM hookd.hosts h WHERE tenant = %s AND host = %s",
        key,
    ).fetchone()
    if row is None:
        raise psycopg.DataError(f"the store has no host {host}")
    found.today, found.denied_today, found.open_sessions, found.attention = row[:4]
    found.clock_s, found.epochs = (row[4] or 0) / 1000, row[5]
    return found


def _session(state: dict[str, Any]) -> dict[str, Any]:
    """Return what must be equal of a session: its counters only while it is open."""
    names = (
        *("conversation", "subagent", "branch", "status", "client", "model", "context", "cost"),
        *("started_at", "ended_at", "end_reason"),
        *(COUNTERS if state.get("ended_at") is None else ()),
    )
    return {name: state.get(name) for name in names}


def _time(moment: datetime) -> str:
    text = moment.astimezone(UTC).isoformat(timespec="milliseconds")
    return text.replace("+00:00", "Z")
