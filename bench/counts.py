"""Counts per hour of a large database: processor time of the batches, and of reading a summary."""

from contextlib import closing
from pathlib import Path
from sqlite3 import Connection
from tempfile import TemporaryDirectory
from time import process_time

from homes import fresh_database
from rows import Aim, Row

from hookd.core.statistics.summary import summarize
from hookd.store.counts import count_next, last_number
from hookd.store.statistics import statistics

BATCH = 250
"""Events of a batch: about what the daemon takes in the 5 ms that it aims at."""

_NOW, _WEEK, _MONTH = (f"2026-01-{day}T00:00:00.000Z" for day in ("31", "25", "01"))
_FACTS = (
    '{"opinions":[{"rule":"destructive-guard","verdict":"ask","ruleIds":["git.reset-hard"],'
    '"call":{"key":"%064d","tool":"Bash","text":"git reset --hard HEAD~%d"}}]}'
)
_SESSIONS = (
    "UPDATE sessions SET project_id = 1 + id % 5, client = 'claude-code',"
    " owner = iif(id % 3, 'agent' || (id % 8), NULL)"
)
_EVENTS = (
    "INSERT INTO events (at, event, session_id, tool_use_id, decision, facts_json, payload,"
    " duration_us)"
    " WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?1 - 1)"
    " SELECT strftime('%Y-%m-%dT%H:%M:%fZ', '2026-01-01', (30.0 * 86400 * i / ?1) || ' seconds'),"
    " iif(i / 16 % 2, 'PostToolUse', 'PreToolUse'),"
    # Sixteen sessions of a thousand at the same time; one call of fifty is asked about.
    " (i / 3200 * 16 + i % 16) % 1000 + 1, printf('toolu_%d_%d', i / 32, i % 16),"
    " iif(i / 16 % 2 = 0 AND i % 50 = 0, 'ask', NULL),"
    " iif(i / 16 % 2 = 0 AND i % 50 = 0, printf(?2, i % 500, i % 500), NULL), ?3, 300 + i % 9000"
    " FROM n"
)


def measure(number: int) -> list[Row]:
    """Return the rows of a month with so many events."""
    with TemporaryDirectory() as folder, closing(fresh_database(Path(folder, "h.db"))) as db:
        _fill(db, number)
        batches = _count(db)
        week, month = (_read(db, since) for since in (_WEEK, _MONTH))
    what = f"{number:,} events of a month"
    return [
        Row(f"counting {what}, for each", "us", sum(batches) / number * 1_000),
        Row(f"the longest batch of {BATCH}", "ms", max(batches), aim=Aim(50, of="value")),
        Row(f"a summary of the last week of {what}", "ms", week, aim=Aim(50, of="value")),
        Row(f"a summary of {what}", "ms", month),
    ]


def _fill(db: Connection, number: int) -> None:
    db.execute("PRAGMA synchronous = OFF")
    db.executemany(
        "INSERT INTO projects VALUES (?1, '/work/p' || ?1, 'p' || ?1, ?2)",
        [(project, _MONTH) for project in range(1, 6)],
    )
    db.executemany(
        "INSERT INTO agents (id, created_at) VALUES ('agent' || ?, ?)",
        [(agent, _MONTH) for agent in range(8)],
    )
    db.execute(_SESSIONS)
    db.execute(_EVENTS, (number, _FACTS, "p" * 300))


def _count(db: Connection) -> list[float]:
    """Count all events; return the processor time of each batch in milliseconds."""
    last, spent, more = last_number(db), list[float](), True
    while more:
        began = process_time()
        db.execute("BEGIN IMMEDIATE")
        more = count_next(db, last, BATCH).more
        db.execute("COMMIT")
        spent.append((process_time() - began) * 1_000)
    return spent


def _read(db: Connection, since: str) -> float:
    """Return the processor time of a summary in milliseconds: the least of five."""

    def once() -> float:
        began = process_time()
        summarize({"now": _NOW, "since": since, **statistics(db, since, None)})
        return (process_time() - began) * 1_000

    return min(once() for _ in range(5))
