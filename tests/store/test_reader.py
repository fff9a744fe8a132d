"""A reader cannot write, has a time limit, and reports that rows were cut."""

import json
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from sqlite3 import connect
from typing import Any

import pytest

from hookd.core.model.effects.claims import AddClaim, EndClaims
from hookd.core.model.errors import DomainError
from hookd.core.model.method import Condition, Query, Rows, View
from hookd.store import statement, writes
from hookd.store.database import MIGRATIONS, open_database
from hookd.store.reader import Reader
from support.database_rows import event, fill, write


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a folder?#%41" / "hookd.db"


@pytest.fixture
async def reader(path: Path) -> AsyncIterator[Reader]:
    with closing(open_database(path)) as db:
        fill(db)
        reading = Reader(path)
        yield reading
        await reading.close()


async def stated(reader: Reader, query: Query) -> Rows:
    """Return the rows of a statement, which another process writes as JSON."""
    told = json.loads((await reader.rows(query)).raw)
    return Rows(tuple(told["columns"]), tuple(map(tuple, told["rows"])), told["more"])


def dump(path: Path) -> list[str]:
    with closing(connect(path)) as db:
        return list(db.iterdump())


VERSION = max(int(step.name[:4]) for step in MIGRATIONS.glob("[0-9]*.sql"))
NUMBERS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5)"

FOUND: list[tuple[str, tuple[Any, ...], Rows]] = [
    ("SELECT 1 AS a, 'x' AS b", (), Rows(("a", "b"), ((1, "x"),))),
    ("SELECT ?, ?", (None, 1.5), Rows(("?", "?"), ((None, 1.5),))),
    ("SELECT skill FROM efforts WHERE id = ?", (2,), Rows(("skill",), (("implement",),))),
    ("SELECT a.id FROM agents a WHERE 0", (), Rows(("id",), ())),
    (f"{NUMBERS} SELECT max(i) AS m FROM n", (), Rows(("m",), ((5,),))),
    ("SELECT upper(skill) AS s FROM active_efforts", (), Rows(("s",), (("IMPLEMENT",),) * 3)),
    ("VALUES (1), (2)", (), Rows(("column1",), ((1,), (2,)))),
    ("PRAGMA user_version", (), Rows(("user_version",), ((VERSION,),))),
    ("SELECT name FROM pragma_table_info('meta')", (), Rows(("name",), (("key",), ("value",)))),
    (
        "SELECT f.value FROM sessions, json_each(loaded_files_json) f",
        (),
        Rows(("value",), (("/work/a",), ("/work/b",))),
    ),
    ("SELECT 1 AS a; -- the end", (), Rows(("a",), ((1,),))),
    ("-- nothing", (), Rows((), ())),
    ("", (), Rows((), ())),
]


@pytest.mark.parametrize(("sql", "args", "expected"), FOUND, ids=lambda value: str(value)[:40])
async def test_a_statement_finds_its_rows(
    sql: str, args: tuple[Any, ...], expected: Rows, reader: Reader
) -> None:
    assert await stated(reader, Query(sql, args)) == expected


async def test_the_schema_can_be_shown(reader: Reader) -> None:
    rows = await stated(reader, Query("PRAGMA table_info(meta)"))
    assert [row[1] for row in rows.rows] == ["key", "value"]
    assert (await stated(reader, Query("EXPLAIN QUERY PLAN SELECT * FROM events"))).rows


LIMITS = [(1, 1, True), (4, 4, True), (5, 5, False), (6, 5, False), (1000, 5, False)]


@pytest.mark.parametrize(("limit", "count", "more"), LIMITS)
async def test_the_limit_cuts_and_says_so(
    limit: int, count: int, more: bool, reader: Reader
) -> None:
    rows = await stated(reader, Query(f"{NUMBERS} SELECT i FROM n", limit=limit))
    assert rows.rows == tuple((number,) for number in range(1, count + 1))
    assert rows.more is more


REFUSED = [
    "INSERT INTO meta VALUES ('a', 'b')",
    "UPDATE sessions SET heartbeat_counter = 0",
    "DELETE FROM guards",
    "DROP TABLE events",
    "CREATE TABLE t (a)",
    "CREATE TEMP TABLE t (a)",
    "ALTER TABLE meta ADD COLUMN c TEXT",
    "WITH x AS (SELECT 1) DELETE FROM guards",
    "INSERT INTO meta VALUES ('a', 'b') RETURNING key",
    "BEGIN IMMEDIATE",
    "VACUUM",
    "VACUUM INTO '{folder}/copy.db'",
    "ATTACH '{folder}/other.db' AS o",
    "ATTACH 'file:{folder}/other.db?mode=rwc' AS o",
    "ATTACH '{folder}/there.db' AS o",
    "DETACH main",
    "PRAGMA user_version = 8",
    "PRAGMA query_only = 0",
    "PRAGMA journal_mode = DELETE",
    "PRAGMA wal_checkpoint(TRUNCATE)",
    "PRAGMA writable_schema = 1",
    "PRAGMA temp_store_directory = '{folder}'",
    "PRAGMA optimize",
    "REINDEX",
    "ANALYZE",
    "SELECT load_extension('x')",
]


@pytest.mark.parametrize("sql", REFUSED)
async def test_a_statement_that_would_change_anything_is_refused(
    sql: str, reader: Reader, path: Path
) -> None:
    there = path.with_name("there.db")
    connect(there).close()
    before, files = dump(path), sorted(path.parent.iterdir())
    with pytest.raises(DomainError) as caught:
        await stated(reader, Query(sql.format(folder=path.parent)))
    assert caught.value.code == "QUERY_FAILED"
    assert str(caught.value).startswith("the statement failed: ")
    assert dump(path) == before
    assert sorted(path.parent.iterdir()) == files


FAILED: list[tuple[str, tuple[Any, ...]]] = [
    ("SELEC 1", ()),
    ("SELECT * FROM nowhere", ()),
    ("SELECT 1; SELECT 2", ()),
    ("SELECT ?", ()),
    ("SELECT 1", (1,)),
    ("SELECT ?", (10**30,)),
    ("SELECT ?", ("\ud800",)),
    ("SELECT '\ud800'", ()),
    ("SELECT '\0'", ()),
    ("SELECT CAST(x'ff' AS TEXT)", ()),
    ("SELECT abs(-9223372036854775808)", ()),
]


@pytest.mark.parametrize(("sql", "args"), FAILED, ids=ascii)
async def test_a_statement_that_fails_is_told_with_a_sentence(
    sql: str, args: tuple[Any, ...], reader: Reader
) -> None:
    with pytest.raises(DomainError, match="the statement failed: ") as caught:
        await stated(reader, Query(sql, args))
    assert caught.value.code == "QUERY_FAILED"
    assert (await stated(reader, Query("SELECT 1"))).rows == ((1,),)


RUNAWAY = [
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n",
    # One call of a function, in the middle of which SQLite does not look at the clock.
    pytest.param(
        "SELECT instr(hex(zeroblob(7000000)), hex(zeroblob(3000000)) || '1')",
        marks=pytest.mark.gate,  # its process is killed after seconds
    ),
]


@pytest.mark.parametrize("sql", RUNAWAY)
async def test_a_query_that_runs_away_is_ended(sql: str, reader: Reader) -> None:
    reader.seconds = 0.1
    with pytest.raises(DomainError, match="it took too long") as caught:
        await reader.rows(Query(sql))
    assert caught.value.code == "QUERY_FAILED"


ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3000000)"
MEMORY = 300_000_000
"""Bytes that the process of a statement may come to: SQLite's own limit, and Python."""

LARGE: dict[str, str] = {
    "SELECT hex(zeroblob(1000000000))": "too big",
    "SELECT randomblob(900000000)": "too big",
    "SELECT printf('%1000000000d', 1)": "",
    "SELECT replace(hex(zeroblob(4000000)), '00', 'xxxxxxxxxxxx')": "too big",
    "SELECT hex(zeroblob(6000000))": "larger than 8 MB",
    "SELECT " + ", ".join(["hex(zeroblob(7900000))"] * 400): "200 MB of memory",
    "SELECT " + ", ".join(["x"] * 400) + " FROM (SELECT hex(zeroblob(7900000)) x)": "200 MB",
    "SELECT json('[' || replace(hex(zeroblob(2500000)), '00', '1,1,1,') || '1]')": "200 MB",
    f"{ENDLESS} SELECT group_concat(i) FROM n": "too big",
    f"{ENDLESS} SELECT i, i, i FROM n": "",
    f"{ENDLESS} SELECT hex(zeroblob(i)) FROM n": "larger than 8 MB",
    "SELECT " + "(" * 5_000 + "1" + ")" * 5_000: "overflow",
    " UNION ALL ".join(["SELECT 1"] * 5_000): "too many terms",
    "SELECT " + "+".join(["1"] * 110_000): "too large",
}


@pytest.mark.slow
@pytest.mark.parametrize("sql", LARGE, ids=lambda sql: sql[:40])
def test_no_statement_takes_much_memory(sql: str, path: Path, reader: Reader) -> None:
    asked = {"uri": f"{path.as_uri()}?mode=ro", "sql": sql, "args": [], "limit": 100_000}
    # By a process that is small itself: what its child had before is counted with the child.
    command = [sys.executable, "-I", "-S", "-c", MEASURED, statement.__file__]
    done = subprocess.run(
        command, input=json.dumps(asked | {"seconds": 10}).encode(), capture_output=True, check=True
    )
    told = json.loads(done.stdout)
    assert LARGE[sql] in told.get("error", "")
    assert bool(LARGE[sql]) == ("error" in told)
    most = int(done.stderr) * (1 if sys.platform == "darwin" else 1024)
    assert most < MEMORY


MEASURED = """
import resource, subprocess, sys
subprocess.run([sys.executable, "-I", "-S", sys.argv[1]], check=True)
sys.stderr.write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss))
"""


VIEWED: list[tuple[View, list[int]]] = [
    (View("session_overview"), [4, 3, 2, 1]),
    (View("session_overview", order="id"), [1, 2, 3, 4]),
    (View("session_overview", {"claude_session_id": "built"}), [3, 2]),
    (View("session_overview", {"claude_session_id": "built", "id": 2}), [2]),
    (View("session_overview", {"claude_session_id": None, "id": None}), [4, 3, 2, 1]),
    (View("session_overview", {"id": "2'; DROP TABLE sessions; --"}), []),
    (View("effort_overview", {"lifecycle": "finished"}), []),
    (View("effort_overview", limit=1), [3]),
]


@pytest.mark.parametrize(("view", "numbers"), VIEWED)
async def test_a_view_is_read_by_what_is_asked_for(
    view: View, numbers: list[int], reader: Reader
) -> None:
    rows = await reader.rows(view)
    assert [row[rows.columns.index("id")] for row in rows.rows] == numbers


async def test_a_number_that_no_row_can_have_is_told_with_a_sentence(reader: Reader) -> None:
    with pytest.raises(DomainError, match="too large"):
        await reader.rows(View("session_overview", {"id": 10**30}))


async def test_what_is_written_meanwhile_is_seen(reader: Reader, path: Path) -> None:
    count = Query("SELECT count(*) FROM meta")
    view = View("guard_overview")
    assert (await stated(reader, count)).rows == ((0,),)
    assert len((await reader.rows(view)).rows) == 3
    with closing(connect(path, isolation_level=None)) as db:
        db.execute("INSERT INTO meta VALUES ('a', 'b')")
        db.execute("DELETE FROM guards WHERE id = 1")
    assert (await stated(reader, count)).rows == ((1,),)
    assert len((await reader.rows(view)).rows) == 2


async def test_the_open_claims_are_counted_without_automatic_ones(path: Path) -> None:
    claim = AddClaim("/r", "path", "a.py", "one", None, None, None, None, False, None)
    now = "2026-01-31T09:00:00.000Z"
    with closing(open_database(path)) as db:
        reading = Reader(path, lambda: {"now": now})
        claims = (
            claim,
            replace(claim, conversation="", expires_at="2026-01-31T09:00:00.001Z"),
            replace(claim, automatic=True),
            replace(claim, expires_at=now),
            replace(claim, kind="resource"),
        )
        write(db, [*claims, EndClaims((5,), "holder")])
        rows = await reading.rows(Condition())
        assert dict(zip(rows.columns, rows.rows[0], strict=True))["claims"] == 2
        await reading.close()


async def test_the_latency_of_the_last_hour_has_percentiles(path: Path) -> None:
    with closing(open_database(path)) as db:
        reading = Reader(path, lambda: {"now": "2026-01-31T09:00:00.000Z"})
        (told,) = (await reading.rows(Condition())).rows
        assert told[-1] is None
        for number, (minute, took) in enumerate([("07:59", 9_000), *([("08:01", 10)] * 98)], 1):
            row = event(number, at=f"2026-01-31T{minute}:00.000Z", duration_us=took)
            writes.record(db, row)
        for number, took in enumerate((None, 30, 40), 100):
            writes.record(db, event(number, at="2026-01-31T08:59:00.000Z", duration_us=took))
        rows = await reading.rows(Condition())
        told = dict(zip(rows.columns, rows.rows[0], strict=True))
        assert told["latency"] == {"events": 100, "p50_us": 10, "p99_us": 30}
        await reading.close()
