"""Readings for metrics: counts per hour, recent events, sessions, queues and sizes.

Counts per hour outlive the events, so what is summed from them never decreases when old events are
deleted; only `hookd stats --rebuild` and `hookd session forget` do that. Other values are a state,
or about a window of time: its rows are deleted after `retention.days`.
"""

from pathlib import Path
from sqlite3 import Connection
from typing import Any

from hookd.core.statistics.event_counts import DURATIONS_US
from hookd.lazy_dataclass import dataclass
from hookd.store import space
from hookd.store.counts import CLASSES

Row = dict[str, Any]
Rows = list[Row]

DURATIONS_S = tuple(bound / 1_000_000 for bound in DURATIONS_US)
"""Upper bounds of the classes of durations in `hourly_events`, in seconds; the last has none."""

RECENT_EVENTS = 5_000
"""Events whose stages are read, as the statement has it."""

_SUMS = ("events", "granted", "injected", "injected_chars", *CLASSES)
_EVENTS = (
    f"SELECT event, decision, client, {', '.join(f'sum({name}) AS {name}' for name in _SUMS)}"  # noqa: S608
    " FROM hourly_events WHERE hour >= ? AND hour < ? GROUP BY event, decision, client"
)
_RULES = (
    "SELECT rule, verdict, sum(events) AS events, min(hour) AS first FROM hourly_rules"
    " WHERE hour >= ? AND hour < ? GROUP BY rule, verdict"
)
_STATES = {
    "recent": (
        "SELECT duration_us, stages FROM events WHERE id > (SELECT max(id) FROM events) - 5000"
        " AND kind = 'hook' AND duration_us IS NOT NULL"
    ),
    "last": "SELECT at FROM events WHERE id = (SELECT max(id) FROM events)",
    "sessions": (
        "SELECT status, agent_id IS NOT NULL AS subagent, count(*) AS count FROM sessions"
        " WHERE ended_at IS NULL GROUP BY 1, 2"
    ),
    "agents": "SELECT status, count(*) AS count FROM agents GROUP BY 1",
    "context": (
        "SELECT context_usage AS usage FROM sessions WHERE ended_at IS NULL AND agent_id IS NULL"
        " AND context_usage IS NOT NULL LIMIT 10000"
    ),
    "cost": "SELECT coalesce(sum(usd), 0) AS usd FROM costs",
    "efforts": "SELECT lifecycle, count(*) AS count FROM efforts GROUP BY 1",
    "missed": (
        "SELECT event, sum(count) AS count FROM unjudged"
        " WHERE last_at >= strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-1 day') GROUP BY 1"
    ),
    "hook_runs": (
        "SELECT coalesce(hook_id, '') AS hook, CASE WHEN error LIKE 'timed out%' THEN 'timed out'"
        " WHEN error IS NOT NULL THEN 'failed' WHEN decision IS NOT NULL THEN decision"
        " WHEN exit_code NOT IN (0, 2) THEN 'failed' ELSE 'ok' END AS outcome,"
        " count(*) AS count, sum(coalesce(duration_ms, 0)) AS ms FROM hook_runs"
        " WHERE created_at >= strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-1 day') GROUP BY 1, 2"
    ),
    "injections": (
        "SELECT count(*) AS count FROM sessions s CROSS JOIN injections i ON i.session_id = s.id"
        " WHERE s.ended_at IS NULL AND i.delivered_at IS NULL AND i.offered_at IS NULL"
        " AND i.offers < 3"
    ),
    "user_hooks": (
        "SELECT count(*) AS count FROM events"
        " WHERE id > (SELECT max(id) FROM events) - 1000 AND pending = 1"
    ),
    "uncounted": (
        "SELECT max(0, coalesce((SELECT max(id) FROM events), 0) - coalesce((SELECT"
        " CAST(value AS INTEGER) FROM meta WHERE key = 'events_counted'), 0)) AS count"
    ),
    "approvals": "SELECT count(*) AS count FROM approvals WHERE status = 'pending'",
    "requests": (
        "SELECT status, count(*) AS count FROM approvals"
        " WHERE asked_at >= strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-1 day') GROUP BY 1"
    ),
    "unreported": "SELECT coalesce(sum(count), 0) AS count FROM unjudged WHERE told_at IS NULL",
}


@dataclass(frozen=True, slots=True)
class Counts:
    """Sums of the counts per hour: by event, decision and client, and by rule and verdict."""

    events: Rows
    rules: Rows


@dataclass(frozen=True, slots=True)
class States:
    """The rows of each state by its name, and the bytes of the database."""

    rows: dict[str, Rows]
    size: space.Space

    def count(self, name: str) -> int:
        """Return the number of a state that is one number."""
        return int(self.rows[name][0]["count"])


def counts(db: Connection, since: str = "", until: str = "~") -> Counts:
    """Return sums of the hours from `since` on and before `until`, such as 2026-01-31T08."""
    hours = (since, until)
    return Counts(db.execute(_EVENTS, hours).fetchall(), db.execute(_RULES, hours).fetchall())


def states(db: Connection, path: Path) -> States:
    """Return what is there now, and in the recent past."""
    found = {name: db.execute(sql).fetchall() for name, sql in _STATES.items()}
    return States(found, _size(db, path))


def settled_before(db: Connection) -> str:
    """Return the hour before which no count changes any more, "" without events."""
    row = db.execute(_SETTLED).fetchone()
    return str(row["hour"]) if row and row["hour"] else ""


# An event is counted up to a day after its time, and a question granted up to a day after that.
_SETTLED = (
    "SELECT strftime('%Y-%m-%dT%H', at, '-3 days') AS hour FROM events"
    " WHERE id = (SELECT max(id) FROM events)"
)


def _size(db: Connection, path: Path) -> space.Space:
    factory, db.row_factory = db.row_factory, None
    try:
        return space.space(db, path)
    finally:
        db.row_factory = factory
