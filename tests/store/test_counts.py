"""Counts per hour equal a plain GROUP BY over the events, whatever happens in between."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookd.core.model.effects.messages import RecountEvents
from hookd.store import counts
from hookd.store.database import open_database
from hookd.store.statistics import statistics
from support.database_rows import fill, write

_BEGIN = "2026-01-31T08:00:00.000Z"
_CLASSES = {
    "to_250us": (0, 250),
    "to_500us": (251, 500),
    "to_1ms": (501, 1_000),
    "to_2ms": (1_001, 2_000),
    "to_5ms": (2_001, 5_000),
    "to_10ms": (5_001, 10_000),
    "to_50ms": (10_001, 50_000),
    "to_250ms": (50_001, 250_000),
    "to_1s": (250_001, 1_000_000),
    "longer": (1_000_001, 2**60),
}
_COMPLETE = "e.kind = 'hook' AND NOT e.pending"
_JOINED = "past e LEFT JOIN sessions s ON s.id = e.session_id"
_WHO = (
    "substr(e.at, 1, 13), coalesce(s.project_id, 0), coalesce(s.owner, ''), coalesce(s.client, '')"
)
_RAN = (
    "EXISTS (SELECT 1 FROM past r WHERE NOT e.lost AND NOT r.pending AND r.kind = 'hook'"
    " AND r.id > e.id AND r.session_id IS e.session_id"
    " AND r.tool_use_id = e.tool_use_id AND r.event IN ('PostToolUse', 'PostToolUseFailure'))"
)
_CHARS = (
    "(SELECT sum(chars) FROM (SELECT DISTINCT json_extract(o.value, '$.context'),"
    " coalesce(json_extract(o.value, '$.contextChars'),"
    "  length(json_extract(o.value, '$.context')), 0) AS chars"
    " FROM json_each(e.facts_json, '$.opinions') o))"
)
_EVENTS = (
    f"SELECT {_WHO}, e.event, coalesce(e.decision, ''), count(*),"
    f" sum(e.event = 'PreToolUse' AND coalesce(e.decision, '') = 'ask' AND {_RAN}),"
    f" sum(coalesce({_CHARS}, 0) > 0), sum(coalesce({_CHARS}, 0)), "
    + ", ".join(
        f"coalesce(sum(e.duration_us BETWEEN {low} AND {high}), 0)"
        for low, high in _CLASSES.values()
    )
    + f" FROM {_JOINED} WHERE {_COMPLETE} GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6"
)
_OPINIONS = (
    f"{_JOINED}, json_each(e.facts_json, '$.opinions') o WHERE {_COMPLETE}"
    " AND json_extract(o.value, '$.rule') IS NOT NULL"
)
_RULES = (
    f"SELECT {_WHO}, e.event, json_extract(o.value, '$.rule'),"
    " json_extract(o.value, '$.ruleIds[0]'),"
    " coalesce(json_extract(o.value, '$.verdict'), 'tell'), count(DISTINCT e.id)"
    f" FROM {_OPINIONS} GROUP BY 1, 2, 3, 4, 5, 6, 7, 8 ORDER BY 1, 2, 3, 4, 5, 6, 7, 8"
)
_ASKS = (
    f"SELECT {_WHO}, json_extract(o.value, '$.rule'), json_extract(o.value, '$.ruleIds[0]'),"
    " json_extract(o.value, '$.call.key'),"
    f" count(*), sum({_RAN}), max(e.id) FROM {_OPINIONS} AND e.decision = 'ask'"
    " AND json_extract(o.value, '$.verdict') = 'ask' AND e.event = 'PreToolUse'"
    " GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY 1, 2, 3, 4, 5, 6, 7"
)

_STATE = (
    "SELECT EXISTS (SELECT 1 FROM meta WHERE key = 'recount_to'),"
    " coalesce((SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'events_counted'), 0),"
    " coalesce((SELECT min(event_id) FROM counting WHERE state IN ('pending', 'settled')), 1000)"
)


@pytest.fixture
def db(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    with closing(open_database(tmp_path / "hookd.db")) as connection:
        yield connection


def facts(*opinions: dict[str, Any]) -> str:
    return json.dumps({"opinions": list(opinions)})


def opinion(rule: str, verdict: str = "ask", key: str = "k1") -> dict[str, Any]:
    call = {"key": key, "tool": "Bash", "text": f"call {key}", "folder": "/work"}
    said = {"verdict": verdict} if verdict else {"context": "Äh, mind the tests."}
    return {"rule": rule, "ruleIds": [f"{rule}.id"], "call": call, **said}


def add(db: sqlite3.Connection, at: str = _BEGIN, name: str = "PreToolUse", **more: Any) -> int:
    """Record an event; return its number."""
    row = {"at": at, "event": name, "payload": "{}", "session_id": 1, **more}
    columns, marks = ", ".join(row), ", ".join("?" * len(row))
    sql = f"INSERT INTO events ({columns}) VALUES ({marks})"
    return int(db.execute(sql, tuple(row.values())).lastrowid or 0)


def count_all(db: sqlite3.Connection) -> None:
    """Count everything, as the daemon does in three rounds: the first may only delete."""
    for _ in range(3):
        db.execute("BEGIN")
        counts.count_settled(db)
        db.execute("COMMIT")
        while counts.count_next(db, counts.last_number(db), 3).more:
            pass


def rows(db: sqlite3.Connection, sql: str) -> list[Any]:
    return db.execute(sql).fetchall()


def counted(db: sqlite3.Connection) -> tuple[list[Any], list[Any], list[Any]]:
    """Return the counts: of events, of rules, of questions."""
    asks = "hour, project_id, agent, client, rule, found, call_key, asked, granted, event_id"
    return (
        rows(db, "SELECT * FROM hourly_events ORDER BY 1, 2, 3, 4, 5, 6"),
        rows(db, "SELECT * FROM hourly_rules ORDER BY 1, 2, 3, 4, 5, 6, 7, 8"),
        rows(db, f"SELECT {asks} FROM hourly_asks ORDER BY 1, 2, 3, 4, 5, 6, 7"),
    )


_STEPS = {
    "record": 60,
    "settle": 8,
    "batch": 6,
    "partly": 3,
    "crash": 3,
    "other": 3,
    "settled": 6,
    "forget": 3,
    "recount": 2,
}
"""What may happen, and how often among all."""


def some_event(chance: Random) -> dict[str, Any]:
    """Return an event: most are of one session, and many of the same call."""
    return {
        "name": chance.choice(["PreToolUse", "PreToolUse", "PostToolUse", "PostToolUseFailure"]),
        "minutes": chance.choice([0, 0, 0, 1, 20]),
        "session_id": chance.choice([1, 1, 1, 1, 2, None]),
        "tool_use_id": chance.choice(["toolu_1", "toolu_1", "toolu_2", None]),
        "decision": chance.choice(["ask", "ask", "ask", "deny", "block", None]),
        "rules": chance.sample(["a", "b", "c"], chance.randrange(3)),
        "verdict": chance.choice(["ask", "ask", "deny", ""]),
        "key": chance.choice(["k1", "k2"]),
        "duration_us": chance.choice([None, 0, 250, 251, 900, 60_000, 5_000_000]),
        "pending": int(chance.random() < 0.2),
        "kind": "canary" if chance.random() < 0.1 else "hook",
        "injected": chance.random() < 0.2,
    }


@dataclass
class Story:
    """A database in which things happen, with a table `past` of all that was ever recorded."""

    path: Path
    db: sqlite3.Connection
    minutes: int = 0
    other: list[sqlite3.Connection] = field(default_factory=list)

    def record(self, what: dict[str, Any]) -> None:
        given = dict(what)
        self.minutes += given.pop("minutes")
        at = f"2026-01-31T{8 + self.minutes // 60:02}:{self.minutes % 60:02}:00.000Z"
        verdict, key = given.pop("verdict"), given.pop("key")
        said = [opinion(rule, verdict, key) for rule in given.pop("rules")]
        if given.pop("injected"):
            said.append({"context": "x" * 400, "contextChars": 900})
        more = {"facts_json": facts(*said) if said else None}
        number = add(self.db, at, **given, **more)
        self.db.execute("INSERT INTO past SELECT * FROM events WHERE id = ?", (number,))

    def settle(self, place: int) -> None:
        waiting = [row[0] for row in rows(self.db, "SELECT id FROM events WHERE pending")]
        for number in waiting[place : place + 1]:
            for table in ("events", "past"):
                done = "pending = 0, decision = 'ask', duration_us = 70"
                self.db.execute(f"UPDATE {table} SET {done} WHERE id = ?", (number,))

    def batch(self, limit: int) -> None:
        counts.count_next(self.db, counts.last_number(self.db), 3 * limit)

    def partly(self, limit: int) -> None:
        counts.count_next(self.db, max(0, counts.last_number(self.db) - limit), 20)

    def crash(self, limit: int) -> None:
        self.db.execute("BEGIN")
        self.batch(limit)
        counts.count_settled(self.db)
        self.db.execute("ROLLBACK")

    def other_daemon(self, limit: int) -> None:
        with closing(open_database(self.path)) as other:
            counts.count_next(other, counts.last_number(other), limit)

    def settled(self) -> None:
        counts.count_settled(self.db)

    def forget(self, many: int) -> None:
        """Delete the oldest events, if they are counted and no recount runs, as the daemon does."""
        ((busy, mark, waits),) = rows(self.db, _STATE)
        last = min(mark, counts.last_number(self.db) - 1, waits - 1)
        oldest = "SELECT id FROM events WHERE id <= ? ORDER BY id LIMIT ?"
        if not busy:
            self.db.execute(f"DELETE FROM events WHERE id IN ({oldest})", (last, many))

    def recount(self) -> None:
        write(self.db, [RecountEvents()])

    def play(self, name: str, value: Any) -> None:
        match name:
            case "record":
                self.record(value)
            case "settle":
                self.settle(value)
            case "batch":
                self.batch(value)
            case "partly":
                self.partly(value)
            case "crash":
                self.crash(value)
            case "other":
                self.other_daemon(value)
            case "settled":
                self.settled()
            case "forget":
                self.forget(value)
            case _:
                self.recount()


@pytest.mark.gate
@given(st.integers(0, 2**32))
def test_counts_equal_a_group_by_over_all_events_ever(seed: int) -> None:
    chance = Random(seed)
    with TemporaryDirectory() as folder:
        path = Path(folder, "hookd.db")
        with closing(open_database(path)) as db:
            fill(db)
            db.execute("UPDATE sessions SET client = 'claude-code' WHERE id = 2")
            db.execute("CREATE TABLE past AS SELECT * FROM events WHERE 0")
            db.execute("PRAGMA synchronous = OFF")
            story = Story(path, db)
            for name in chance.choices([*_STEPS], [*_STEPS.values()], k=chance.randrange(150)):
                story.play(name, some_event(chance) if name == "record" else chance.randrange(1, 7))
            count_all(db)
            assert counted(db) == (rows(db, _EVENTS), rows(db, _RULES), rows(db, _ASKS))


@pytest.mark.gate
@given(st.integers(0, 2**32))
def test_counts_without_a_session_equal_a_group_by_over_the_other_events(seed: int) -> None:
    chance = Random(seed)
    with TemporaryDirectory() as folder:
        path = Path(folder, "hookd.db")
        with closing(open_database(path)) as db:
            fill(db)
            db.execute("CREATE TABLE past AS SELECT * FROM events WHERE 0")
            db.execute("PRAGMA synchronous = OFF")
            story = Story(path, db)
            steps = {name: often for name, often in _STEPS.items() if name != "forget"}
            for name in chance.choices([*steps], [*steps.values()], k=chance.randrange(150)):
                story.play(name, some_event(chance) if name == "record" else chance.randrange(1, 7))
            own = [row[0] for row in rows(db, "SELECT id FROM events WHERE session_id = 1")]
            counts.subtract(db, own)
            db.execute(f"DELETE FROM counting WHERE event_id IN ({', '.join(map(str, own))})")
            for table in ("events", "past"):
                db.execute(f"DELETE FROM {table} WHERE session_id = 1")
            count_all(db)
            events, rules, asks = counted(db)
            assert (events, rules) == (rows(db, _EVENTS), rows(db, _RULES))
            # The number of the last event may be that of a forgotten one.
            assert [row[:-1] for row in asks] == [row[:-1] for row in rows(db, _ASKS)]


def test_an_event_is_granted_if_the_call_ran_within_a_day(db: sqlite3.Connection) -> None:
    fill(db)
    said = facts(opinion("careful"))
    for day, later in (("01", "01"), ("02", "04")):
        more = {"tool_use_id": f"toolu_{day}", "decision": "ask", "facts_json": said}
        add(db, f"2026-01-{day}T08:00:00.000Z", **more)
        more = {"tool_use_id": f"toolu_{day}"}
        add(db, f"2026-01-{later}T09:00:00.000Z", "PostToolUse", **more)
    count_all(db)
    assert rows(db, "SELECT hour, asked, granted FROM hourly_asks") == [
        ("2026-01-01T08", 1, 1),
        ("2026-01-02T08", 1, 0),
    ]
    assert rows(db, "SELECT granted FROM hourly_events WHERE decision = 'ask'") == [(1,), (0,)]
    assert rows(db, "SELECT * FROM counting") == []


def test_a_summary_is_of_one_client_or_of_all(db: sqlite3.Connection) -> None:
    fill(db)
    zeros = ", 0" * 10
    for client, events in (("codex", 2), ("gemini", 3)):
        columns = f"'2026-01-31T08', 0, '', '{client}'"
        db.execute(
            f"INSERT INTO hourly_events VALUES ({columns}, 'PreToolUse', 'deny', {events}, 0, 0, 0"
            f"{zeros})"
        )
        db.execute(
            f"INSERT INTO hourly_rules VALUES ({columns}, 'PreToolUse', '{client}-rule', '',"
            f" 'deny', {events})"
        )
    every = statistics(db, _BEGIN, None)
    one = statistics(db, _BEGIN, None, "codex")
    assert (every["hours"][0][:2], one["hours"][0][:2]) == (
        ("2026-01-31T08", 5),
        ("2026-01-31T08", 2),
    )
    assert [row[2] for row in every["owners"]] == ["codex", "gemini"]
    assert [row[2] for row in one["owners"]] == ["codex"]
    assert one["rules"] == [("codex-rule", "", "deny", 2)]
    assert statistics(db, _BEGIN, None, "qwen")["hours"] == []


def test_an_event_whose_hooks_never_end_is_counted_after_a_day(db: sqlite3.Connection) -> None:
    fill(db)
    add(db, pending=1)
    count_all(db)
    assert rows(db, "SELECT * FROM hourly_events") == []
    add(db, "2026-02-01T08:00:00.001Z", "Stop")
    count_all(db)
    count_all(db)
    names = rows(db, "SELECT event, events FROM hourly_events ORDER BY 1")
    assert names == [("PreToolUse", 1), ("Stop", 1)]
    assert rows(db, "SELECT * FROM counting") == []


def test_damaged_rows_are_counted_and_named(db: sqlite3.Connection) -> None:
    fill(db)
    add(db, "not a time")
    add(db, facts_json="{")
    add(db, facts_json='{"opinions": [{"rule": 7}]}')
    add(db, facts_json='{"opinions": [{"contextChars": "many"}]}')
    db.execute("UPDATE events SET event = CAST(x'ff41' AS TEXT) WHERE id = 4")
    add(db, duration_us=-5)
    half = '{"opinions": [{"rule": "a\\ud800", "verdict": "deny"}]}'
    add(db, facts_json=half)
    count_all(db)
    named = rows(db, "SELECT event_id, problem FROM counting WHERE state = 'damaged'")
    assert named == [
        (1, "its time is unreadable"),
        (2, "its opinions are unreadable"),
        (3, "its opinions are unreadable"),
        (4, "its name or decision is no text; its opinions are unreadable"),
        (5, "its duration is negative"),
    ]
    assert rows(db, "SELECT sum(events) FROM hourly_events") == [(5,)]
    assert rows(db, "SELECT rule, verdict FROM hourly_rules") == [("a?", "deny")]
    before = counted(db)
    write(db, [RecountEvents()])
    count_all(db)
    assert counted(db) == before
    assert len(rows(db, "SELECT 1 FROM counting")) == 5
