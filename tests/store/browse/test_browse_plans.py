"""Each query finds the rows of large tables by an index, or within bounds of their numbers."""

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from sqlite3 import Connection, connect
from typing import Any

import pytest

from hookd.store.browse import (
    decisions,
    fleet,
    health,
    metrics,
    sessions,
    statistics,
    user_hooks,
    work,
)
from hookd.store.browse.decisions import EventFilter
from hookd.store.browse.sessions import SessionFilter
from support.browse_rows import read
from support.large_database import make

QUERIES: dict[str, Callable[[Connection], Any]] = {
    "fleet": fleet.rows,
    "sessions": partial(sessions.page, wanted=SessionFilter(text="x", agent="agent-1")),
    "context of a session": partial(sessions.context_history, number=50),
    "decisions": partial(decisions.page, wanted=EventFilter(decision="deny", rule="x", text="y")),
    "one session": partial(sessions.one, number=50),
    "time line": partial(sessions.time_line, number=50),
    "older part of a time line": partial(sessions.time_line, number=50, before=900),
    "events": partial(decisions.page, wanted=EventFilter()),
    "events of an agent": partial(
        decisions.page, wanted=EventFilter(agent="agent-1", rule="x", decision="deny")
    ),
    "events of a project": partial(
        decisions.page,
        wanted=EventFilter(
            project="/work/web", text="x", since="2026-11-01", until="2026-11-10", event="Stop"
        ),
    ),
    "events of a session": partial(decisions.page, wanted=EventFilter(session=50, tool="Bash")),
    "statistics": partial(statistics.statistics, since="2026-11-01", project="/work/web"),
    "efforts": partial(work.efforts, project="/work/web", lifecycle="active"),
    "one effort": partial(work.effort, number=580),
    "handovers": work.handovers,
    "work items": partial(work.items, project="/work/web", state="open"),
    "hook runs": partial(user_hooks.runs, hook="hook-1", failed=True),
    "hooks": user_hooks.by_hook,
    "health": partial(health.health, path=Path("/none")),
    "one event": partial(decisions.one, number=500),
    "metrics": partial(metrics.states, path=Path("hookd.db")),
    "metrics of old hours": metrics.settled_before,
}
LARGE = {"events": "e", "messages": "m", "injections": "i", "hook_runs": "r", "bodies": "b"}
"""Large tables, each with the alias that queries use for it."""

_SCAN = re.compile(r"SCAN (\w+)|SEARCH (\w+) USING AUTOMATIC")
"""An automatic index is made of all rows."""


def scans(db: Connection, query: Callable[[Connection], Any]) -> list[str]:
    """Return the lines of the plans of a query's statements that read all of a large table."""
    statements: list[str] = []
    db.set_trace_callback(statements.append)
    try:
        query(db)
    finally:
        db.set_trace_callback(None)
    names = {*LARGE, *LARGE.values()}
    found = []
    for statement in statements:
        for step in db.execute(f"EXPLAIN QUERY PLAN {statement}"):
            detail = step["detail"]
            if any(names.intersection(match.groups()) for match in _SCAN.finditer(detail)):
                found.append(f"{detail}: {statement}")
    return found


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("plans") / "hookd.db"
    make(file, events=2_000, sessions=100)
    return file


@pytest.mark.gate
@pytest.mark.parametrize("name", QUERIES)
def test_no_query_reads_all_of_a_large_table(path: Path, name: str) -> None:
    assert read(path, lambda db: scans(db, QUERIES[name])) == []


def rows(db: Connection, sql: str) -> Any:
    return db.execute(sql).fetchall()


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM events WHERE decision = 'deny'",
        "SELECT count(*) FROM events e",
        "SELECT * FROM injections i ORDER BY content",
        "SELECT s.id FROM sessions s JOIN messages m ON m.content = s.branch",
    ],
)
def test_a_query_that_reads_all_of_one_is_found(path: Path, sql: str) -> None:
    assert read(path, lambda db: scans(db, partial(rows, sql=sql))) != []


def test_the_large_database_has_what_was_asked_for(path: Path) -> None:
    with connect(path) as db:
        counts = dict(
            db.execute(
                "SELECT 'events', count(*) FROM events"
                " UNION SELECT 'sessions', count(*) FROM sessions"
                " UNION SELECT 'decided', count(decision) FROM events"
                " UNION SELECT 'astray', count(*) FROM pragma_foreign_key_check"
            ).fetchall()
        )
    assert (counts["events"], counts["sessions"], counts["astray"]) == (2_000, 100, 0)
    assert 30 < counts["decided"] < 120
