"""Pages of the central board: hosts, sessions, events and counts per minute of one tenant.

Each page is a bounded read of an index, continued after a key (keyset). Events are read by their
primary key, one host at a time; totals are those that shipping keeps in the row of each host.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from hookd.central.hosts import COLUMNS, as_text, utc_text
from hookd.central.viewer import View
from hookd.lazy_dataclass import dataclass

Row = dict[str, Any]

WINDOW = 2_000
"""Events that a page looks through for those that match."""

SESSIONS_WINDOW = 50_000
"""Sessions that a page looks through for those that match."""

HOST_STATES = ("here", "away", "invited", "left", "removed")
_HOSTS = f"SELECT {COLUMNS} FROM hookd.hosts WHERE tenant = %(tenant)s"  # noqa: S608 - constants
PAGE_OF_HOSTS = (
    f"SELECT * FROM ({_HOSTS} AND host > %(after)s) h"  # noqa: S608
    " WHERE (%(state)s::text IS NULL OR state = %(state)s)"
    " AND (%(text)s::text IS NULL OR strpos(lower(host), lower(%(text)s)) > 0)"
    " ORDER BY host LIMIT %(limit)s"
)
TOTALS = (
    'SELECT state, count(*) AS hosts, sum("openSessions")::bigint AS "openSessions",'  # noqa: S608
    ' sum(attention)::bigint AS attention, sum("eventsToday")::bigint AS "eventsToday",'
    f' sum("deniedToday")::bigint AS "deniedToday" FROM ({_HOSTS}) h GROUP BY state'
)
_SESSIONS = (
    "SELECT host, epoch, number, conversation, agent, client, project, status, started_at,"
    " last_event_at, ended_at, state FROM hookd.sessions WHERE tenant = %(tenant)s"
)
_OPEN = " AND ended_at IS NULL"
_BY_EVENT = "last_event_at DESC, host DESC, epoch DESC, number DESC"
_PAGE_OF_ALL = (
    " AND (last_event_at, host, epoch, number) < (%(at)s, %(host)s, %(epoch)s, %(number)s)"
    f" ORDER BY {_BY_EVENT} LIMIT %(window)s"
)
_BY_NUMBER = "epoch DESC, number DESC"
_PAGE_OF_HOST = (
    " AND host = %(host)s AND (epoch, number) < (%(epoch)s, %(number)s)"
    f" ORDER BY {_BY_NUMBER} LIMIT %(window)s"
)


def _matching(sessions: str, order: str) -> str:
    """Return a query for the sessions that match; the last session of the window is there, too."""
    return (
        f"SELECT * FROM (SELECT w.*, row_number() OVER (ORDER BY {order}) = %(window)s"  # noqa: S608
        " AS last,"
        " (%(status)s::text IS NULL OR status = %(status)s)"
        " AND (%(client)s::text IS NULL OR client = %(client)s) AS matches"
        f" FROM ({sessions}) w) s WHERE matches OR last ORDER BY {order} LIMIT %(limit)s"
    )


SESSIONS_OF_ALL = _matching(f"{_SESSIONS}{_PAGE_OF_ALL}", _BY_EVENT)
OPEN_OF_ALL = _matching(f"{_SESSIONS}{_OPEN}{_PAGE_OF_ALL}", _BY_EVENT)
SESSIONS_OF_HOST = _matching(f"{_SESSIONS}{_PAGE_OF_HOST}", _BY_NUMBER)
OPEN_OF_HOST = _matching(f"{_SESSIONS}{_OPEN}{_PAGE_OF_HOST}", _BY_NUMBER)
_SESSION = f"{_SESSIONS} AND host = %(host)s AND epoch = %(epoch)s AND number = %(number)s"
_EVENT_COLUMNS = (
    "epoch, event_id, received_at, at, event, session, conversation, tool, decision,"
    " decided_by, duration_us, client, kind, detail IS NOT NULL AS detailed"
)
_EVENTS = (
    f"SELECT {_EVENT_COLUMNS} FROM hookd.events"  # noqa: S608 - constants
    " WHERE tenant = %(tenant)s AND host = %(host)s AND (epoch, event_id) < (%(epoch)s, %(number)s)"
)
_NEWEST = " ORDER BY epoch DESC, event_id DESC LIMIT %(limit)s"
EVENTS_OF_HOST = f"{_EVENTS}{_NEWEST}"
EVENTS_OF_SESSION = f"{_EVENTS} AND session = %(session)s AND epoch = %(session_epoch)s{_NEWEST}"
_ONE_EVENT = (
    f"SELECT {_EVENT_COLUMNS}, detail FROM hookd.events"  # noqa: S608 - constants
    " WHERE tenant = %(tenant)s AND host = %(host)s AND epoch = %(epoch)s AND event_id = %(number)s"
)
_PAYLOADS = (
    "SELECT epoch, event_id, detail->'payload' AS payload FROM hookd.events"
    " WHERE tenant = %(tenant)s AND host = %(host)s AND epoch = %(epoch)s"
    " AND event_id = ANY (%(numbers)s)"
)
_MINUTES = (
    "SELECT date_bin(%(step)s, minute, %(since)s) AS minute, decision, sum(count)::bigint AS events"
    " FROM"
)
_SINCE = "WHERE tenant = %(tenant)s AND minute >= %(since)s"
# A row's minute is never later than the day of its receipt, by which minutes are partitioned.
_DAYS = " AND received_at >= (%(since)s AT TIME ZONE 'UTC')::date"
_BY_MINUTE = " GROUP BY 1, 2"
MINUTES_OF_HOST = f"{_MINUTES} hookd.minutes {_SINCE} AND host = %(host)s{_DAYS}{_BY_MINUTE}"
MINUTES_OF_ALL = f"{_MINUTES} hookd.fleet_minutes {_SINCE}{_BY_MINUTE}"
_NONE = 2**31 - 1, 2**63 - 1
"""Above the numbers of all rows: the first page."""


@dataclass(frozen=True, slots=True)
class SessionFilter:
    """Sessions to show: of a host, or of all; with `every` those that have ended, too."""

    host: str | None = None
    every: bool = False
    status: str | None = None
    client: str | None = None


@dataclass(frozen=True, slots=True)
class SessionKey:
    """Last row of a page of sessions."""

    at: datetime
    host: str
    epoch: int
    number: int


@dataclass(frozen=True, slots=True)
class SessionPage:
    """Sessions, newest first; `before` is the key of the next page, None if there is none."""

    rows: list[Row]
    before: SessionKey | None


@dataclass(frozen=True, slots=True)
class EventFilter:
    """Events to show: of a session (its epoch and number), or decided ones only.

    `conversation` is the beginning of the client's session id.
    """

    session: tuple[int, int] | None = None
    decided: bool = False
    equal: Mapping[str, Any] | None = None
    conversation: str = ""


@dataclass(frozen=True, slots=True)
class EventPage:
    """Events, newest first; `before` is the key of the next page, None if there is none."""

    rows: list[Row]
    before: tuple[int, int] | None


def hosts(
    view: View, *, after: str = "", state: str | None = None, text: str | None = None, limit: int
) -> list[Row]:
    """Return hosts by name, those after a name."""
    values = {"after": after, "state": state, "text": text, "limit": limit}
    return list(map(as_text, _rows(view, PAGE_OF_HOSTS, values)))


def totals(view: View) -> list[Row]:
    """Return the sums over the hosts of each state."""
    return _rows(view, TOTALS, {})


def host(view: View, name: str) -> Row | None:
    """Return a host; None if there is none of that name."""
    found = _rows(view, f"{_HOSTS} AND host = %(host)s", {"host": name})
    return as_text(found[0]) if found else None


def sessions(
    view: View, which: SessionFilter, before: SessionKey | None, limit: int
) -> SessionPage:
    """Return sessions below a key: of all hosts by their last event, of one host by number.

    With a filter, a page looks through SESSIONS_WINDOW sessions.
    """
    filtered = which.status is not None or which.client is not None
    values: Row = {"status": which.status, "client": which.client, "limit": limit + 1}
    values["window"] = SESSIONS_WINDOW if filtered else limit + 1
    if which.host is not None:
        epoch, number = (before.epoch, before.number) if before else _NONE
        values |= {"host": which.host, "epoch": epoch, "number": number}
        query = SESSIONS_OF_HOST if which.every else OPEN_OF_HOST
    else:
        query = SESSIONS_OF_ALL if which.every else OPEN_OF_ALL
        if before is None:
            values |= {"at": "infinity", "host": "", "epoch": 0, "number": 0}
        else:
            values |= {"at": before.at, "host": before.host, "epoch": before.epoch}
            values["number"] = before.number
    found = _rows(view, query, values)
    shown = [_session(row) for row in found if row["matches"]][:limit]
    if len(found) > limit:
        return SessionPage(shown, _session(found[limit - 1])["key"])
    ended = found and found[-1]["last"]
    return SessionPage(shown, _session(found[-1])["key"] if ended else None)


def session(view: View, name: str, epoch: int, number: int) -> Row | None:
    """Return a session of a host; None if there is none."""
    found = _rows(view, _SESSION, {"host": name, "epoch": epoch, "number": number})
    return _session(found[0]) if found else None


def events(
    view: View, name: str, which: EventFilter, before: tuple[int, int] | None, limit: int
) -> EventPage:
    """Return the newest events of a host below a key, from at most WINDOW rows."""
    filtered = which.decided or bool(which.equal) or bool(which.conversation)
    most = WINDOW if filtered else limit + 1
    epoch, number = before or _NONE
    values: Row = {"host": name, "epoch": epoch, "number": number, "limit": most}
    if which.session is not None:
        values |= {"session_epoch": which.session[0], "session": which.session[1]}
    query = EVENTS_OF_HOST if which.session is None else EVENTS_OF_SESSION
    found = _rows(view, query, values)
    matching = [row for row in found if _matches(row, which)]
    shown = matching[:limit]
    last = None
    if len(matching) > limit:
        last = shown[-1]
    elif len(found) == most:
        last = found[-1]
    key = (last["epoch"], last["event_id"]) if last else None
    return EventPage(_with_payloads(view, name, list(map(_event, shown))), key)


def event(view: View, name: str, epoch: int, number: int) -> Row | None:
    """Return an event with its detail; None if there is none."""
    found = _rows(view, _ONE_EVENT, {"host": name, "epoch": epoch, "number": number})
    return _event(found[0]) if found else None


def minutes(view: View, since: datetime, step: str, name: str | None = None) -> list[Row]:
    """Return counts of events by `step`, such as 5 minutes, and decision; "" without one.

    Those of all hosts reach back two days.
    """
    query = MINUTES_OF_HOST if name else MINUTES_OF_ALL
    rows = _rows(view, query, {"since": since, "step": step, "host": name})
    found = [row | {"minute": utc_text(row["minute"])} for row in rows]
    return sorted(found, key=lambda row: (row["minute"], row["decision"]))


def _rows(view: View, query: str, values: Mapping[str, Any]) -> list[Row]:
    given = {"tenant": view.tenant, **values}
    return view.connection.execute(query.encode(), given).fetchall()


def _matches(row: Row, which: EventFilter) -> bool:
    if which.decided and not row["decision"]:
        return False
    if not (row["conversation"] or "").startswith(which.conversation):
        return False
    return all(row[key] == value for key, value in (which.equal or {}).items())


def _session(row: Row) -> Row:
    """Return a session with the keys that the lists of one host have."""
    state = row["state"] if isinstance(row["state"], dict) else {}
    last = row["last_event_at"]
    return {
        "host": row["host"],
        "epoch": row["epoch"],
        "id": row["number"],
        "claudeSessionId": row["conversation"],
        "agent": row["agent"],
        "agentId": _text(state.get("subagent")),
        "agentType": _text(state.get("subagent_type")),
        "project": row["project"],
        "branch": _text(state.get("branch")),
        "skill": _text(state.get("skill")),
        "task": _text(state.get("task")),
        "currentPhase": _text(state.get("phase")),
        "status": row["status"],
        "client": row["client"],
        "clientVersion": _text(state.get("client_version")),
        "model": _text(state.get("model")),
        "contextUsage": _number(state.get("context")),
        "cost": _number(state.get("cost")),
        "heartbeatCounter": _number(state.get("calls_since_log")),
        "toolCalls": _number(state.get("tool_calls")),
        "createdAt": utc_text(row["started_at"]),
        "lastEventAt": utc_text(last),
        "endedAt": utc_text(row["ended_at"]),
        "endReason": _text(state.get("end_reason")),
        "key": None if last is None else SessionKey(last, row["host"], row["epoch"], row["number"]),
    }


def _text(value: Any) -> str | None:
    """Return a text that a host sent, None for anything else."""
    return value if isinstance(value, str) else None


_MOST = 1e15


def _number(value: Any) -> float | None:
    """Return a number that a host sent, None for anything else, and for what no count can be."""
    known = isinstance(value, int | float) and not isinstance(value, bool)
    return value if known and abs(value) < _MOST else None


def _event(row: Row) -> Row:
    found = {
        "epoch": row["epoch"],
        "id": row["event_id"],
        "at": utc_text(row["at"]),
        "receivedAt": utc_text(row["received_at"]),
        "event": row["event"],
        "sessionId": row["session"],
        "claudeSessionId": row["conversation"],
        "toolName": row["tool"],
        "decision": row["decision"],
        "rule": row["decided_by"],
        "durationUs": row["duration_us"],
        "client": row["client"],
        "kind": row["kind"],
        "detailed": row["detailed"],
    }
    return found | ({"detail": row["detail"]} if "detail" in row else {})


def _with_payloads(view: View, name: str, rows: Sequence[Row]) -> list[Row]:
    """Return events with the payloads that hosts in the mode `events` sent."""
    known: dict[tuple[int, int], Any] = {}
    for epoch in {row["epoch"] for row in rows if row["detailed"]}:
        numbers = [row["id"] for row in rows if row["detailed"] and row["epoch"] == epoch]
        values = {"host": name, "epoch": epoch, "numbers": numbers}
        for found in _rows(view, _PAYLOADS, values):
            known[epoch, found["event_id"]] = found["payload"]
    return [row | {"payload": known.get((row["epoch"], row["id"]))} for row in rows]
