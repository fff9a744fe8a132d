"""Statistics for charts: stopped calls, costs, tools, durations, and a session's context window.

Counts per hour and costs per day are small tables, kept by the daemon; only the mix of tools reads
events, and at most the newest ones.
"""

from sqlite3 import Connection

from hookd.core.statistics.event_counts import DURATIONS_US
from hookd.lazy_dataclass import dataclass
from hookd.store.browse.page import Rows
from hookd.store.counts import CLASSES

_TOOL_EVENTS = 20_000
"""Newest events in which tools are counted."""

_PROJECT = "(:project IS NULL OR {} = (SELECT id FROM projects WHERE path = :project))"
_OF_HOUR = " WHERE hour >= :hour AND " + _PROJECT.format("project_id")
_STOPPED = (
    "SELECT substr(hour, 1, 10) AS day, rule, verdict, sum(events) AS events FROM hourly_rules"  # noqa: S608
    f"{_OF_HOUR} AND verdict IN ('deny', 'ask') GROUP BY 1, 2, 3"
)
_DAYS = (
    "SELECT substr(hour, 1, 10) AS day, sum(events) AS events,"  # noqa: S608
    " sum(iif(event = 'PreToolUse', events, 0)) AS calls,"
    " sum(iif(decision = 'deny', events, 0)) AS denied,"
    " sum(iif(decision = 'ask', events, 0)) AS asked,"
    " sum(iif(decision = 'block', events, 0)) AS blocked, sum(granted) AS granted,"
    " sum(iif(event = 'PreCompact', events, 0)) AS compactions FROM hourly_events"
    f" WHERE hour >= :hour AND {_PROJECT.format('project_id')} GROUP BY 1"
)
_COSTS = (
    "SELECT c.day, coalesce(p.path, '') AS project, sum(c.usd) AS usd FROM costs c"  # noqa: S608
    " JOIN sessions s ON s.id = c.session_id LEFT JOIN projects p ON p.id = s.project_id"
    f" WHERE c.day >= :day AND {_PROJECT.format('s.project_id')} GROUP BY 1, 2"
)
_TOOLS = (
    "SELECT tool_name AS tool, count(*) AS calls,"
    " sum(coalesce(decision IN ('deny', 'ask'), 0)) AS stopped"
    " FROM events e NOT INDEXED WHERE id > (SELECT max(id) FROM events) - :most"
    " AND event = 'PreToolUse' AND kind = 'hook' AND tool_name IS NOT NULL AND at >= :since AND"
    " (:project IS NULL OR session_id IN (SELECT id FROM sessions WHERE project_id ="
    "  (SELECT id FROM projects WHERE path = :project))) GROUP BY 1 ORDER BY 2 DESC LIMIT 50"
)
_DURATIONS = (
    f"SELECT hour, {', '.join(f'sum({name}) AS {name}' for name in CLASSES)} FROM hourly_events"  # noqa: S608
    f"{_OF_HOUR} GROUP BY 1 ORDER BY 1"
)


@dataclass(frozen=True, slots=True)
class Statistics:
    """The rows of a time.

    `stopped`: events by day, rule and verdict. `days`: sums by day. `costs`: US dollars by day and
    project. `tools`: calls of the newest events by tool. `durations`: by hour, events of each class
    of `bounds_us`, of which the last has no bound.
    """

    stopped: Rows
    days: Rows
    costs: Rows
    tools: Rows
    durations: list[tuple[str, tuple[int, ...]]]
    bounds_us: tuple[int | None, ...] = (*DURATIONS_US, None)


def statistics(db: Connection, since: str, project: str | None = None) -> Statistics:
    """Return the statistics since a time, as stored or a prefix, of one project or of all."""
    args = {
        "since": since,
        "hour": since[:13],
        "day": since[:10],
        "project": project,
        "most": _TOOL_EVENTS,
    }
    durations = [
        (row["hour"], tuple(row[name] for name in CLASSES)) for row in db.execute(_DURATIONS, args)
    ]
    return Statistics(
        db.execute(_STOPPED, args).fetchall(),
        db.execute(_DAYS, args).fetchall(),
        db.execute(_COSTS, args).fetchall(),
        db.execute(_TOOLS, args).fetchall(),
        durations,
    )
