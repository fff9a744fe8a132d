"""Events and their decisions: filtered, the newest first; one event with its whole payload."""

from collections.abc import Iterator, Mapping
from sqlite3 import Connection
from typing import Any

from hookd.display.event_subject import payload_line
from hookd.events.payload_excerpt import restore_text
from hookd.lazy_dataclass import dataclass
from hookd.store.browse.page import Page, Rows
from hookd.store.browse.sessions import like, parsed

_MAX_TEXT_CHARS = 200
"""Characters of an event's call in a list."""

_WINDOW = 20_000
"""Events that one statement looks at."""

_WINDOW_DECIDED = 250_000
"""Numbers of events of which one statement looks at those with a decision: an index has them."""

_ALL = 2**63 - 1

_WINDOWS = 5
"""Statements of one request: a search of rare events continues with the next request."""


@dataclass(frozen=True, slots=True)
class EventFilter:
    """Which events; None and "" set no condition.

    `text` is part of the payload or of the answer, in any case of ASCII letters. `since` is the
    first time, `until` the time before which; both as stored, or a prefix: 2026-01-31. `rule` is
    one name of `decided_by`. `decided`: only events with a decision.
    """

    agent: str | None = None
    project: str | None = None
    session: int | None = None
    rule: str | None = None
    decision: str | None = None
    event: str | None = None
    tool: str | None = None
    text: str | None = None
    since: str | None = None
    until: str | None = None
    decided: bool = False

    @property
    def decides(self) -> bool:
        """Whether only events with a decision match."""
        return self.decided or self.decision is not None


def page(db: Connection, wanted: EventFilter, before: int | None = None, limit: int = 50) -> Page:
    """Return events, the newest first, those with a lower number than `before`.

    At most _WINDOW * _WINDOWS events are looked at, unless an index leads to them.
    """
    rows: Rows = []
    high, low = _bounds(db, wanted, before)
    for _ in range(_WINDOWS):
        high = _next_of_sessions(db, wanted, high)
        if high <= low:
            return Page(rows)
        floor = max(low, high - _window(wanted))
        rows += _events(db, wanted, high, floor, limit + 1 - len(rows))
        if len(rows) > limit:
            return Page(rows[:limit], rows[limit - 1]["id"])
        high = floor
    return Page(rows) if high <= low else Page(rows, high, partial=True)


def _window(wanted: EventFilter) -> int:
    """Return how many numbers one statement covers: all of a session, as an index has them."""
    if wanted.session is not None:
        return _ALL
    return _WINDOW_DECIDED if wanted.decides else _WINDOW


def _bounds(db: Connection, wanted: EventFilter, before: int | None) -> tuple[int, int]:
    """Return the number below which the events are, and the lowest that they have."""
    row = db.execute(_ENDS).fetchone()
    high, low = (row["last"] or 0) + 1, row["first"] or 1
    if before is not None:
        high = min(high, before)
    if wanted.since:
        row = db.execute(_SINCE, (wanted.since,)).fetchone()
        low = max(low, row["id"] or high)
    if wanted.until:
        row = db.execute(_UNTIL, (wanted.until,)).fetchone()
        high = min(high, (row["id"] or 0) + 1)
    return high, low


_ENDS = "SELECT (SELECT min(id) FROM events) AS first, (SELECT max(id) FROM events) AS last"
_SINCE = "SELECT min(id) AS id FROM (SELECT id FROM events WHERE at >= ? ORDER BY at LIMIT 100)"
_UNTIL = "SELECT max(id) AS id FROM (SELECT id FROM events WHERE at < ? ORDER BY at DESC LIMIT 100)"


def _next_of_sessions(db: Connection, wanted: EventFilter, high: int) -> int:
    """Return one more than the number of the next event of a filter's sessions below `high`.

    So a search for an agent's or a project's events leaps over all the others in between.
    """
    tests = list(_session_tests(wanted))
    if not tests:
        return high
    sql = f"{_NEXT} WHERE {' AND '.join(tests)}"
    row = db.execute(sql, _args(wanted) | {"high": high}).fetchone()
    return (row["last"] or 0) + 1 if row["last"] else 0


_NEXT = (
    "SELECT max((SELECT max(id) FROM events e WHERE e.session_id = s.id AND e.id < :high)) AS last"
    " FROM sessions s"
)


def _session_tests(wanted: EventFilter) -> Iterator[str]:
    if wanted.session is not None:
        yield "s.id = :session"
    if wanted.agent:
        yield "s.owner = :agent"
    if wanted.project:
        yield "s.project_id = (SELECT id FROM projects WHERE path = :project)"


_TESTS = {
    "rule": "(e.decided_by = :rule OR ', ' || e.decided_by || ', ' LIKE :among ESCAPE '\\')",
    "decision": "e.decision = :decision",
    "decided": "e.decision IS NOT NULL",
    "event": "e.event = :event",
    "tool": "e.tool_name = :tool",
    "text": r"(e.payload LIKE :text ESCAPE '\' OR e.answer LIKE :text ESCAPE '\')",
    "since": "e.at >= :since",
    "until": "e.at < :until",
}
"""The condition of each field of a filter, without those of its sessions."""

_COLUMNS = (
    "e.id, e.at, e.event, e.kind, e.session_id AS sessionId,"
    " e.claude_session_id AS claudeSessionId, s.owner AS agent, e.agent_id AS agentId,"
    " p.path AS project, s.effort_id AS effortId,"
    " e.tool_name AS toolName, e.tool_use_id AS toolUseId, e.prompt_id AS promptId, e.decision,"
    " e.decided_by AS rule, e.duration_us AS durationUs, e.lost, e.repeats,"
    " e.repeated_at AS repeatedAt, e.payload"
)
_JOINS = " LEFT JOIN sessions s ON s.id = e.session_id LEFT JOIN projects p ON p.id = s.project_id"


def _events(db: Connection, wanted: EventFilter, high: int, low: int, most: int) -> Rows:
    """Return the events from `low` to below `high` that match."""
    tests = [test for name, test in _TESTS.items() if getattr(wanted, name)]
    tests += _session_tests(wanted)
    index = "INDEXED BY events_decided" if wanted.decides else "NOT INDEXED"
    if wanted.decides:
        tests.append("e.decision IS NOT NULL")
    if wanted.session is not None:
        index = "INDEXED BY events_by_session"
        tests.append("e.session_id = :session")
    sql = (
        f"SELECT {_COLUMNS} FROM events e {index}{_JOINS} WHERE e.id < :high AND e.id >= :low"  # noqa: S608
        f" AND e.kind = 'hook' AND {' AND '.join(tests) or 1} ORDER BY e.id DESC LIMIT :most"
    )
    args = _args(wanted) | {"high": high, "low": low, "most": most}
    return [_listed(row) for row in db.execute(sql, args)]


def _args(wanted: EventFilter) -> dict[str, Any]:
    return {
        "agent": wanted.agent,
        "project": wanted.project,
        "session": wanted.session,
        "rule": wanted.rule,
        "among": like(f", {wanted.rule}, "),
        "decision": wanted.decision,
        "event": wanted.event,
        "tool": wanted.tool,
        "text": like(wanted.text or ""),
        "since": wanted.since,
        "until": wanted.until,
    }


def _listed(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return an event of a list: the text of its call in place of its payload."""
    event = {key: value for key, value in row.items() if key != "payload"}
    return event | {
        "text": payload_line(row["payload"], _MAX_TEXT_CHARS),
        "lost": bool(row["lost"]),
    }


def one(db: Connection, number: int) -> dict[str, Any] | None:
    """Return an event with the keys of `events.list` and its whole payload; None without one.

    `hookRuns` are the runs of user hooks on it, `guards` the guard rules that exist now.
    """
    found: dict[str, Any] | None = db.execute(_EVENT, (number,)).fetchone()
    if found is None:
        return None
    body = db.execute("SELECT zlib FROM bodies WHERE event_id = ?", (number,)).fetchone()
    if body is not None:
        found["payload"] = _whole(body["zlib"]) or found["payload"]
    for key in ("payload", "answer", "facts", "stages"):
        found[key] = parsed(found[key])
    found["lost"] = bool(found["lost"])
    found["hookRuns"] = db.execute(_RUNS, (number,)).fetchall()
    found["guards"] = db.execute(_GUARDS).fetchall()
    return found


def _whole(body: bytes) -> str | None:
    try:
        return restore_text(body)
    except ValueError:  # damaged: the excerpt is shown
        return None


_EVENT = (
    f"SELECT {_COLUMNS}, e.payload_sha256 AS payloadSha256, e.answer, e.facts_json AS facts,"  # noqa: S608
    f" e.stages FROM events e{_JOINS} WHERE e.id = ?"
)
_RUNS = (
    "SELECT id, hook_id AS hook, command, exit_code AS exitCode, duration_ms AS durationMs,"
    " decision, error AS fault, truncated, background, stderr_excerpt AS stderr,"
    " status_message AS statusMessage, notes FROM hook_runs WHERE event_id = ? ORDER BY id"
)
_GUARDS = (
    'SELECT id, name AS "ruleId", scope, project, effort_id AS effortId, source, layer'
    " FROM guard_overview ORDER BY id"
)
