"""Counts per hour: each event is added to them once, in small steps, and deleting it changes none.

The number up to which events are counted is stored in the same transaction as the counts, so that
a crash, or a second daemon, neither loses nor doubles an event. Events below that number that
cannot be counted yet, since user hooks still run on them, are rows of `counting`.
"""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import field
from datetime import datetime, timedelta

from hookd.core.model.facts import iso
from hookd.core.statistics.event_counts import (
    RESULTS,
    EventCount,
    Question,
    RecordedEvent,
    count_of,
    is_question,
)
from hookd.lazy_dataclass import dataclass

_COUNTED = "events_counted"
"""Key in meta: the number up to which events are counted."""

_FROM, _TO, _CLEARING = "recount_from", "recount_to", "recount_clearing"
"""Keys in meta while events are counted again: the first hour and the last event of it, and that
old counts are still to be deleted."""

_DAY = timedelta(days=1)
"""How long a question waits for the call's result, and an event for its user hooks."""

_SETTLED = 200
"""Events whose user hooks ended late that are counted at once."""

_COLUMNS = (
    "SELECT e.id, e.at, e.event, e.pending, e.lost, e.decision, e.facts_json,"
    " e.duration_us, e.session_id, e.tool_use_id, coalesce(s.project_id, 0),"
    " coalesce(s.owner, ''), coalesce(s.client, '')"
)
_TABLES = "FROM events e LEFT JOIN sessions s ON s.id = e.session_id WHERE e.kind = 'hook'"
_NEXT = f"{_COLUMNS} {_TABLES} AND e.id > ? AND e.id <= ? ORDER BY e.id LIMIT ?"
_LATE = (
    f"{_COLUMNS} {_TABLES} AND e.id IN"  # noqa: S608
    " (SELECT event_id FROM counting WHERE state = 'settled' ORDER BY 1 LIMIT ?) ORDER BY e.id"
)

CLASSES = (
    *("to_250us", "to_500us", "to_1ms", "to_2ms", "to_5ms", "to_10ms", "to_50ms"),
    *("to_250ms", "to_1s", "longer"),
)
"""Columns of `hourly_events`: a class of durations each, see DURATIONS_US."""

_EVENT_KEY = ("hour", "project_id", "agent", "client", "event", "decision")
_EVENT_SUMS = ("events", "granted", "injected", "injected_chars", *CLASSES)
_FIRST_CLASS = len(_EVENT_SUMS) - len(CLASSES)
_RULE_KEY = ("hour", "project_id", "agent", "client", "event", "rule", "found", "verdict")

_EventKey = tuple[str, int, str, str, str, str]
_RuleKey = tuple[str, int, str, str, str, str, str, str]
_AskKey = tuple[str, int, str, str, str, str, str]


def _add_to(table: str, key: tuple[str, ...], sums: tuple[str, ...]) -> str:
    """Return the statement that adds to a row of counts."""
    columns = (*key, *sums)
    changes = ", ".join(f"{name} = {name} + excluded.{name}" for name in sums)
    return (
        f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"  # noqa: S608
        f" ON CONFLICT DO UPDATE SET {changes}"
    )


_ADD_EVENTS = _add_to("hourly_events", _EVENT_KEY, _EVENT_SUMS)
_ADD_RULES = _add_to("hourly_rules", _RULE_KEY, ("events",))
_ADD_ASKS = (
    "INSERT INTO hourly_asks (hour, project_id, agent, client, rule, found, call_key, asked,"
    " granted, tool, call, event_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?)"
    " ON CONFLICT DO UPDATE SET asked = asked + excluded.asked,"
    " event_id = max(event_id, excluded.event_id)"
)
_SOME = (
    f"{_COLUMNS} {_TABLES} AND e.id IN (SELECT value FROM json_each(?)) AND e.id NOT IN"  # noqa: S608
    " (SELECT event_id FROM counting WHERE state IN ('pending', 'settled')) ORDER BY e.id"
)
_WAITING = "SELECT event_id FROM counting WHERE state = 'asked'"
_COUNTS = {"hourly_events": "events", "hourly_rules": "events", "hourly_asks": "asked"}
_TAKE_ASKS = (
    "UPDATE hourly_asks SET asked = asked - ?, granted = granted - ? WHERE"
    " (hour, project_id, agent, client, rule, found, call_key) = (?, ?, ?, ?, ?, ?, ?)"
)
# Questions without a key share a row, which shows the call of any of them.
_HIDE_CALLS = (
    "UPDATE hourly_asks SET call = '' WHERE call_key = ''"
    " AND event_id IN (SELECT value FROM json_each(?))"
    " AND hour IN (SELECT value FROM json_each(?))"
)
_GRANT_EVENT = (
    "UPDATE hourly_events SET granted = granted + 1 WHERE"
    " (hour, project_id, agent, client, event, decision) = (?, ?, ?, ?, ?, ?)"
)
_GRANT_ASK = (
    "UPDATE hourly_asks SET granted = granted + 1 WHERE"
    " (hour, project_id, agent, client, rule, found, call_key) = (?, ?, ?, ?, ?, ?, ?)"
)
_KEEP = (
    "INSERT OR REPLACE INTO counting"
    " (event_id, at, state, session_id, tool_use_id, keys_json, problem)"
    " VALUES (?, ?, ?, ?, ?, ?, ?)"
)
_RAN = (
    "SELECT at FROM events WHERE session_id IS ? AND id > ? AND id <= ? AND tool_use_id = ?"
    " AND event IN ('PostToolUse', 'PostToolUseFailure') AND NOT pending"
    " AND kind = 'hook' ORDER BY id LIMIT 1"
)
_ASKED = (
    "SELECT event_id, at, keys_json FROM counting WHERE state = 'asked' AND tool_use_id = ?"
    " AND session_id IS ? AND event_id < ?"
)
_NO_QUESTION = (None, None, None, None)
"""The columns of a row of `counting` that only a question has, and the problem."""


@dataclass(frozen=True, slots=True)
class Counted:
    """What a step did: `events` were looked at, and there may be `more` for the next step."""

    events: int
    more: bool


@dataclass
class _Sums:
    """What a step adds to the counts, by their keys."""

    events: dict[_EventKey, list[int]] = field(default_factory=dict)
    rules: Counter[_RuleKey] = field(default_factory=Counter)
    asks: dict[_AskKey, tuple[int, str, str, int]] = field(default_factory=dict)

    def add(self, event: RecordedEvent, count: EventCount) -> tuple[_EventKey, list[_AskKey]]:
        """Add an event; return the key of the row that counts it, and those of its questions."""
        who = (count.hour, event.project_id, event.agent, event.client)
        key = (*who, event.event, event.decision or "")
        sums = self.events.get(key)
        if sums is None:
            sums = self.events[key] = [0] * len(_EVENT_SUMS)
        sums[0] += 1
        sums[2] += bool(count.injected)
        sums[3] += count.injected
        if count.duration is not None:
            sums[_FIRST_CLASS + count.duration] += 1
        for one in count.said:
            self.rules[*who, event.event, *one] += 1
        return key, [self._ask(who, one, event.id) for one in count.asked]

    def _ask(self, who: tuple[str, int, str, str], one: Question, number: int) -> _AskKey:
        key = (*who, one.rule, one.found, one.call_key)
        asked = self.asks[key][0] if key in self.asks else 0
        self.asks[key] = (asked + 1, one.tool, one.call, number)
        return key

    def subtract(self, db: sqlite3.Connection, granted: Counter[_AskKey]) -> None:
        """Take the sums from the tables, and the questions that were granted."""
        less = ((*key, *(-one for one in sums)) for key, sums in self.events.items())
        db.executemany(_ADD_EVENTS, less)
        db.executemany(_ADD_RULES, [(*key, -count) for key, count in self.rules.items()])
        taken = [(sums[0], granted[key], *key) for key, sums in self.asks.items()]
        db.executemany(_TAKE_ASKS, taken)

    def write(self, db: sqlite3.Connection) -> None:
        """Add the sums to the tables."""
        db.executemany(_ADD_EVENTS, [(*key, *sums) for key, sums in self.events.items()])
        db.executemany(_ADD_RULES, [(*key, count) for key, count in self.rules.items()])
        db.executemany(_ADD_ASKS, [(*key, *sums) for key, sums in self.asks.items()])


def last_number(db: sqlite3.Connection) -> int:
    """Return the number of the last event; 0 without events."""
    (found,) = db.execute("SELECT coalesce(max(id), 0) FROM events").fetchone()
    return int(found)


def uncounted(db: sqlite3.Connection, up_to: int) -> bool:
    """Return whether there is something to count, up to this event."""
    state = _state(db)
    late = db.execute("SELECT 1 FROM counting WHERE state IN ('pending', 'settled') LIMIT 1")
    return _CLEARING in state or _number(state, _COUNTED) < up_to or late.fetchone() is not None


def recounts(db: sqlite3.Connection) -> bool:
    """Return whether events are to be counted again."""
    return _TO in _state(db)


def count_settled(db: sqlite3.Connection) -> int:
    """Count the events whose user hooks had ended by the last time, and note those that have now.

    So the duration of each is complete. An event without an answer is counted after a day. Return
    how many were counted.
    """
    state = _state(db)
    if _CLEARING in state:
        return 0
    mark = _number(state, _COUNTED)
    day_ago = _before(_time_at(db, mark))
    # A result whose user hooks still run may answer an older question.
    db.execute(
        "DELETE FROM counting WHERE state = 'asked' AND at < ? AND NOT EXISTS"
        " (SELECT 1 FROM counting WHERE state IN ('pending', 'settled'))",
        (day_ago,),
    )
    with _readable(db):
        events = [RecordedEvent(*row) for row in db.execute(_LATE, (_SETTLED,))]
    for event in events:
        db.execute("DELETE FROM counting WHERE event_id = ? AND state = 'settled'", (event.id,))
    _count(db, events, max(mark, _number(state, _TO)))
    db.execute(
        "DELETE FROM counting WHERE state IN ('pending', 'settled')"
        " AND event_id NOT IN (SELECT id FROM events)"
    )
    db.execute(
        "UPDATE counting SET state = 'settled' WHERE state = 'pending' AND (at < ? OR"
        " (SELECT pending FROM events WHERE id = event_id) = 0)",
        (day_ago,),
    )
    return len(events)


def count_next(db: sqlite3.Connection, up_to: int, limit: int) -> Counted:
    """Count the next events, at most `limit`, up to the number `up_to`.

    While old counts are to be replaced, delete those of one day instead.
    """
    state = _state(db)
    if _CLEARING in state:
        _clear_day(db, state[_FROM])
        return Counted(1, more=True)
    mark = _number(state, _COUNTED)
    with _readable(db):
        events = [RecordedEvent(*row) for row in db.execute(_NEXT, (mark, up_to, limit))]
    full = len(events) == limit
    reached = events[-1].id if full else max(up_to, mark)
    first, known = state.get(_FROM, ""), _number(state, _TO)
    fresh = [one for one in events if one.id > known or one.at[:13] >= first]
    waiting = [(one.id, one.at, "pending", *_NO_QUESTION) for one in fresh if one.pending]
    db.executemany(_KEEP, waiting)
    _count(db, (one for one in fresh if not one.pending))
    if reached != mark:
        _set(db, _COUNTED, str(reached))
    if _TO in state and reached >= known:
        db.execute("DELETE FROM meta WHERE key IN (?, ?)", (_FROM, _TO))
    return Counted(len(events), more=full)


def subtract(db: sqlite3.Connection, numbers: Iterable[int]) -> None:
    """Take events out of the counts that they are in, before they are deleted.

    Rows that count nothing are deleted. A row of questions that is left keeps no call of another
    event that it could have been.
    """
    wanted = json.dumps(tuple(numbers))
    state = _state(db)
    with _readable(db):
        events = [RecordedEvent(*row) for row in db.execute(_SOME, (wanted,))]
    counted = [event for event in events if _is_counted(state, event)]
    waiting = {row[0] for row in db.execute(_WAITING)}
    up_to, sums, granted = _number(state, _COUNTED), _Sums(), Counter[_AskKey]()
    for event in counted:
        count = count_of(event)
        if not count.hour:
            continue
        key, asks = sums.add(event, count)
        asked = event.tool_use_id and is_question(event) and event.id not in waiting
        if asked and _ran(db, event, up_to):
            sums.events[key][1] += 1
            granted.update(asks)
    sums.subtract(db, granted)
    hours = json.dumps(sorted({event.at[:13] for event in counted}))
    for table, column in _COUNTS.items():
        within = "hour IN (SELECT value FROM json_each(?))"
        db.execute(f"DELETE FROM {table} WHERE {column} <= 0 AND {within}", (hours,))  # noqa: S608
    db.execute(_HIDE_CALLS, (wanted, hours))


def _is_counted(state: dict[str, str], event: RecordedEvent) -> bool:
    """Return whether an event is in the counts, also while events are counted again."""
    if event.at[:13] < state.get(_FROM, ""):
        return event.id <= _number(state, _TO)
    return _CLEARING not in state and event.id <= _number(state, _COUNTED)


def _clear_day(db: sqlite3.Connection, first: str) -> None:
    """Delete the counts of one day, from the first hour on; the last time, go back to the start."""
    hours = [
        hour
        for table in ("hourly_events", "hourly_rules", "hourly_asks")
        for (hour,) in db.execute(f"SELECT min(hour) FROM {table} WHERE hour >= ?", (first,))  # noqa: S608
        if hour is not None
    ]
    if hours:
        day = min(hours)[:10]
        for table in ("hourly_events", "hourly_rules", "hourly_asks"):
            sql = f"DELETE FROM {table} WHERE hour >= ? AND hour BETWEEN ? AND ?"  # noqa: S608
            db.execute(sql, (first, day, f"{day}U"))
        return
    db.execute("DELETE FROM counting WHERE at >= ?", (first,))
    db.execute("DELETE FROM meta WHERE key = ?", (_CLEARING,))
    _set(db, _COUNTED, "0")


def _count(db: sqlite3.Connection, events: Iterable[RecordedEvent], late_up_to: int = 0) -> None:
    """Add events to the counts, with the questions that they ask and answer.

    Of events that are counted late, the results up to `late_up_to` were counted before.
    """
    sums, granted = _Sums(), list[str]()
    for event in events:
        count = count_of(event)
        if count.problem:
            row = (event.id, event.at, "damaged", *_NO_QUESTION[:-1], count.problem)
            db.execute(_KEEP, row)
        if not count.hour:
            continue
        key, asks = sums.add(event, count)
        if event.tool_use_id and is_question(event):
            keys = json.dumps([key, asks])
            if _ran(db, event, late_up_to):
                granted.append(keys)
            else:
                owner = (event.session_id, event.tool_use_id)
                db.execute(_KEEP, (event.id, event.at, "asked", *owner, keys, None))
        elif event.tool_use_id and event.event in RESULTS:
            granted += _answered(db, event)
    sums.write(db)
    for keys in granted:
        key, asks = json.loads(keys)
        db.execute(_GRANT_EVENT, key)
        db.executemany(_GRANT_ASK, asks)


def _ran(db: sqlite3.Connection, event: RecordedEvent, up_to: int) -> bool:
    """Return whether the result of a call that was asked about is counted already."""
    if not up_to:
        return False
    found = db.execute(_RAN, (event.session_id, event.id, up_to, event.tool_use_id)).fetchone()
    return found is not None and _before(str(found[0])) <= event.at


def _answered(db: sqlite3.Connection, event: RecordedEvent) -> Iterator[str]:
    """Yield the keys of the questions that a result answers; they wait no more."""
    found = db.execute(_ASKED, (event.tool_use_id, event.session_id, event.id)).fetchall()
    for number, at, keys in found:
        db.execute("DELETE FROM counting WHERE event_id = ? AND state = 'asked'", (number,))
        if _before(event.at) <= at:
            yield keys


def _time_at(db: sqlite3.Connection, number: int) -> str:
    """Return the time of the last event up to a number; "" without one."""
    sql = "SELECT at FROM events WHERE id <= ? ORDER BY id DESC LIMIT 1"
    row = db.execute(sql, (number,)).fetchone()
    return str(row[0]) if row else ""


def _before(at: str) -> str:
    """Return the time a day before, as it is stored; "" for no time."""
    try:
        return iso(datetime.fromisoformat(at) - _DAY)
    except (ValueError, OverflowError):
        return ""


def _state(db: sqlite3.Connection) -> dict[str, str]:
    """Return what meta says about counting."""
    rows = db.execute(
        "SELECT key, value FROM meta WHERE key IN (?, ?, ?, ?)", (_COUNTED, _FROM, _TO, _CLEARING)
    )
    return dict(rows.fetchall())


def _number(state: dict[str, str], key: str) -> int:
    return int(state.get(key, "0"))


def _set(db: sqlite3.Connection, key: str, value: str) -> None:
    db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))


@contextmanager
def _readable(db: sqlite3.Connection) -> Iterator[None]:
    """Read damaged texts, too: bytes that are no text are replaced."""
    before = db.text_factory
    db.text_factory = lambda raw: raw.decode("utf-8", "replace")
    try:
        yield
    finally:
        db.text_factory = before
