"""Statistics: the counts per hour, costs, sessions and guard rules that a summary is made of."""

import sqlite3
from typing import Any

from hookd.core.model.errors import DomainError

_MOST = 100_000
"""Rows of one kind; more are not read."""

_SUMS = (
    "sum(events), sum(iif(event = 'PreToolUse', events, 0)),"
    " sum(iif(event = 'PreToolUse' AND decision = 'deny', events, 0)),"
    " sum(iif(event = 'PreToolUse' AND decision = 'ask', events, 0)), sum(granted),"
    " sum(iif(decision = 'block', events, 0)), sum(injected), sum(injected_chars),"
    " sum(iif(event = 'PreCompact', events, 0))"
)
_CLASSES = (
    "sum(to_250us), sum(to_500us), sum(to_1ms), sum(to_2ms), sum(to_5ms), sum(to_10ms),"
    " sum(to_50ms), sum(to_250ms), sum(to_1s), sum(longer)"
)
_CHOSEN = (
    "hour >= :hour AND (:project IS NULL OR project_id = :project)"
    " AND (:client IS NULL OR client = :client)"
)
_SESSION = (
    "(:project IS NULL OR s.project_id = :project) AND (:client IS NULL OR s.client = :client)"
)
_QUERIES = {
    "hours": (
        f"SELECT hour, {_SUMS}, {_CLASSES} FROM hourly_events"  # noqa: S608
        f" WHERE {_CHOSEN} GROUP BY hour"
    ),
    "owners": (
        f"SELECT p.path, agent, client, {_SUMS} FROM hourly_events LEFT JOIN projects p"  # noqa: S608
        f" ON p.id = project_id WHERE {_CHOSEN}"
        " GROUP BY project_id, agent, client"
    ),
    "rules": (
        "SELECT rule, found, verdict, sum(events) FROM hourly_rules"  # noqa: S608
        f" WHERE {_CHOSEN} GROUP BY 1, 2, 3"
    ),
    "granted": (
        "SELECT rule, sum(asked), sum(granted) FROM hourly_asks"  # noqa: S608
        f" WHERE {_CHOSEN} GROUP BY rule"
    ),
    "asks": (
        "SELECT rule, tool, call, p.path, asked, event_id, single AND event_id >="  # noqa: S608
        " (SELECT min(id) FROM events) FROM (SELECT rule, tool, call, project_id,"
        "  sum(asked) AS asked, max(event_id) AS event_id, min(call_key) = max(call_key) AS single"
        f"  FROM hourly_asks WHERE {_CHOSEN}"
        "  AND call_key <> '' GROUP BY rule, tool, call, project_id"
        "  HAVING sum(asked) >= 3 AND sum(asked) = sum(granted) ORDER BY asked DESC LIMIT 100)"
        " LEFT JOIN projects p ON p.id = project_id"
    ),
    "guards": (
        "SELECT g.name, g.scope, p.path, g.effort_id, g.rule_json, g.layer, g.source FROM guards g"
        " LEFT JOIN projects p ON p.id = g.project_id"
        " WHERE :project IS NULL OR g.project_id IS NULL OR g.project_id = :project ORDER BY g.id"
    ),
    "fired": (
        "SELECT DISTINCT h.rule, p.path FROM hourly_rules h"
        " LEFT JOIN projects p ON p.id = h.project_id"
        " WHERE hour >= :hour AND (:client IS NULL OR client = :client)"
        " AND rule IN (SELECT name FROM guards WHERE project_id IS NOT NULL)"
    ),
    "costs": (
        "SELECT c.day, p.path, coalesce(s.owner, ''), sum(c.usd) FROM costs c"  # noqa: S608
        " JOIN sessions s ON s.id = c.session_id LEFT JOIN projects p ON p.id = s.project_id"
        f" WHERE c.day >= :day AND {_SESSION} GROUP BY 1, 2, 3"
    ),
    "sessions": (
        "SELECT substr(s.last_event_at, 1, 10), p.path, coalesce(s.owner, ''), count(*),"  # noqa: S608
        " total(s.context_usage), count(s.context_usage), coalesce(max(s.context_usage), 0.0)"
        " FROM sessions s LEFT JOIN projects p ON p.id = s.project_id"
        f" WHERE s.last_event_at >= :since AND {_SESSION}"
        " GROUP BY 1, 2, 3"
    ),
    "damaged": (
        "SELECT event_id, problem FROM counting WHERE state = 'damaged' ORDER BY event_id DESC"
        " LIMIT 10"
    ),
}
"""Queries of a summary by name; `:project` and `:client` are NULL for all."""

_STATE = (
    "SELECT coalesce((SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'events_counted'"
    "  AND NOT EXISTS (SELECT 1 FROM meta WHERE key = 'recount_clearing')), 0),"
    " coalesce((SELECT max(id) FROM events), 0),"
    " (SELECT count(*) FROM counting WHERE state = 'damaged'),"
    " (SELECT count(*) FROM counting WHERE state IN ('pending', 'settled')),"
    " (SELECT min(hour) FROM hourly_events)"
)


def statistics(
    db: sqlite3.Connection, since: str, project: str | None, client: str | None = None
) -> dict[str, Any]:
    """Return the rows of a summary by the names of `_QUERIES`, and the state of counting.

    `since` is a time. Raise DomainError (NOT_FOUND) for an unknown project.
    """
    number = None
    if project is not None:
        row = db.execute("SELECT id FROM projects WHERE path = ?", (project,)).fetchone()
        if row is None:
            raise DomainError("NOT_FOUND", f"there is no project {project}")
        (number,) = row
    args = {"since": since, "hour": since[:13], "day": since[:10], "project": number}
    args["client"] = client
    found: dict[str, Any] = {
        name: db.execute(sql, args).fetchmany(_MOST) for name, sql in _QUERIES.items()
    }
    return found | {"state": db.execute(_STATE).fetchone()}
