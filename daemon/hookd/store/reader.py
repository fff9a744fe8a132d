"""What only reads: the rows of a view, or one statement of the user's own."""

import asyncio
import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Awaitable, Callable, Mapping
from contextlib import closing, suppress
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from functools import partial
from math import ceil
from pathlib import Path
from typing import Any, TypeVar, assert_never

import aiosqlite

from hookd.core.model.daemon_state import DaemonState
from hookd.core.model.errors import DomainError
from hookd.core.model.facts import iso
from hookd.core.model.method import (
    Backup,
    Compaction,
    Condition,
    Integrity,
    Query,
    ReadRequest,
    Rows,
    Sizes,
    Statistics,
    View,
)
from hookd.store import space
from hookd.store.facts import trusted
from hookd.store.mail import mail_counts
from hookd.store.recovery import refused, run_read_only
from hookd.store.session_rows import BACKUP
from hookd.store.statistics import statistics

T = TypeVar("T")

Aside = Callable[[Callable[[], Any]], Awaitable[Any]]
"""Runs work on some thread and returns its result."""

_SIZE = 8_000_000
_STATEMENT = Path(__file__).with_name("statement.py")
_CHECK_TIMEOUT_S = 90.0
"""Seconds that reading through the whole file may take: its write-ahead log grows meanwhile."""

_AT_ONCE = 2
"""Statements of the user's own that run at the same time; others wait."""

_LATE = 15.0
"""Seconds after which the process of a statement is killed."""

_WEEK = timedelta(days=6)
"""The days before today in a summary."""

_UNKNOWN = asdict(DaemonState()) | {
    "now": iso(datetime.fromtimestamp(0, UTC)),
    "unkept": "",
    "incidents": [],
    "suspended": [],
    "max_bytes": 0,
    "days": 0,
    "redaction": "",
    "queues": {},
    "claims": 0,
    "work": {},
}
"""Condition of a daemon that reports none."""


async def _fetched(cursor: aiosqlite.Cursor, most: int) -> list[Any]:
    """Return at most `most` rows, and not many more than _SIZE characters and bytes of them."""
    found: list[Any] = []
    size = 0
    async for row in cursor:
        found.append(row)
        size += sum(len(cell) for cell in row if isinstance(cell, str | bytes))
        if len(found) >= most:
            return found
        if size > _SIZE:
            raise ValueError(f"it finds more than {_SIZE // 1_000_000} MB; ask for less")
    return found


_ERROR = b'{"error"'


def _stated(asked: bytes) -> bytes:
    """Run a statement in a process of its own; return what it printed: work for a thread."""
    command = [sys.executable, "-I", "-S", str(_STATEMENT)]
    try:
        done = subprocess.run(
            command, input=asked, capture_output=True, env={}, timeout=_LATE, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise _failed("it took too long") from error
    except OSError as error:
        raise _failed(f"no process could be started for it: {error.strerror}") from error
    if not done.stdout:
        if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
            raise _failed("it took too long")
        last = done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
        raise _failed(f"its process ended with {done.returncode}: {last}")
    return done.stdout


def _failed(why: str) -> DomainError:
    return DomainError("QUERY_FAILED", f"the statement failed: {why}")


def _checked(db: sqlite3.Connection) -> Rows:
    """Return what is wrong with the file, a row each."""
    try:
        with space.limited(db, _CHECK_TIMEOUT_S):
            found = [row[0] for row in db.execute("PRAGMA integrity_check(100)") if row[0] != "ok"]
            astray = db.execute("PRAGMA foreign_key_check").fetchmany(100)
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_INTERRUPT:
            raise _failed(f"the file cannot be read through in {_CHECK_TIMEOUT_S:g} s") from error
        return Rows(("problem",), ((f"the file cannot be read: {error}",),))
    found += [f"row {row[1]} of {row[0]} refers to a row of {row[2]} that is not" for row in astray]
    return Rows(("problem",), tuple((text,) for text in found))


def _copied(db: sqlite3.Connection, path: str, now: str) -> Rows:
    """Copy the database to a new file that only the user can read, and note where it is."""
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600))
    except OSError as error:
        told = f"{path} cannot be made: {error.strerror}"
        raise DomainError("FILE_FAILED", told) from error
    with closing(sqlite3.connect(path)) as copy:
        db.backup(copy)
    (_, _, own) = db.execute("PRAGMA database_list").fetchone()
    with suppress(sqlite3.Error), closing(sqlite3.connect(own)) as noting, noting:
        # So that `hookd session forget` can name the copies that have a session.
        noting.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (f"{BACKUP}{path}", now))
    return Rows(("bytes",), ((Path(path).stat().st_size,),))


_LATENCY = (
    "SELECT duration_us FROM (SELECT at, duration_us FROM events ORDER BY id DESC LIMIT 1000)"
    " WHERE at >= strftime('%Y-%m-%dT%H:%M:%fZ', ?, '-1 hour') AND duration_us IS NOT NULL"
    " ORDER BY duration_us"
)
"""Durations of the last hour; of many events, those of the last thousand."""


def _latency(db: sqlite3.Connection, now: str) -> dict[str, int] | None:
    """Return percentiles of the last hour; None without events."""
    took = [row[0] for row in db.execute(_LATENCY, (now,))]
    if not took:
        return None
    p50, p99 = (took[ceil(len(took) * share) - 1] for share in (0.5, 0.99))
    return {"events": len(took), "p50_us": p50, "p99_us": p99}


_WORK = "SELECT state, count(*) FROM work_items WHERE state <> 'done' GROUP BY state ORDER BY state"


def _counted(db: sqlite3.Connection, now: str) -> dict[str, object]:
    """Return the daemon's condition at the time `now`, as far as the database knows it."""
    sql = (
        "SELECT (SELECT coalesce(max(id), 0) FROM events)"
        " - (SELECT count(*) FROM events WHERE kind = 'canary'),"
        " (SELECT value FROM meta WHERE key = 'paused_until'),"
        " (SELECT value FROM meta WHERE key = 'paused_by'),"
        " (SELECT count(*) FROM claims WHERE released_at IS NULL AND automatic = 0"
        "  AND (expires_at IS NULL OR expires_at > ?))"
    )
    row = db.execute(sql, (now,)).fetchone()
    counts = zip(("events", "paused_until", "paused_by", "claims"), row, strict=True)
    work = dict(db.execute(_WORK).fetchall())
    latency = _latency(db, now)
    return {**dict(counts), "mail": mail_counts(db), "latency": latency, "work": work}


class Reader:
    """A read-only connection of its own, made at the first use.

    `daemon` returns the daemon's own condition. `aside` runs decisions.
    `seconds` of CPU time are what a statement of the user's own has.
    """

    seconds = 5.0

    def __init__(
        self,
        path: Path,
        daemon: Callable[[], Mapping[str, object]] = dict,
        aside: Aside | None = None,
    ) -> None:
        self._path = path
        self._daemon = daemon
        self._aside = aside or asyncio.to_thread
        self._uri = path.absolute().as_uri() + "?mode=ro"
        self._connection: aiosqlite.Connection | None = None
        self._statements = asyncio.Semaphore(_AT_ONCE)

    async def rows(self, wanted: ReadRequest) -> Rows:
        """Return what `wanted` names. Raise DomainError (QUERY_FAILED) if it cannot be had."""
        if isinstance(wanted, View):
            return await self._view(wanted)
        if isinstance(wanted, Query):
            return await self._own(wanted)
        if isinstance(wanted, Condition):
            told = {**_UNKNOWN, **self._daemon()}
            told |= await self.read(partial(_counted, now=str(told["now"])))
            return Rows(tuple(told), (tuple(told.values()),))
        if isinstance(wanted, Statistics):
            return await self._statistics(wanted)
        return await self._file(wanted)

    async def _statistics(self, wanted: Statistics) -> Rows:
        now = str({**_UNKNOWN, **self._daemon()}["now"])
        first = datetime.fromisoformat(now[:10]).replace(tzinfo=UTC) - _WEEK
        since = wanted.since or iso(first)
        chosen = partial(statistics, since=since, project=wanted.project, client=wanted.client)
        found = await self.read(chosen)
        told = {"now": now, "since": since, **found}
        return Rows(tuple(told), (tuple(told.values()),))

    async def _file(self, wanted: Integrity | Sizes | Backup | Compaction) -> Rows:
        """Return what is found of the file as such."""
        match wanted:
            case Integrity():
                return await self._alone(_checked)
            case Sizes():
                found = await self._alone(lambda db: space.sizes(db, self._path))
                told = _UNKNOWN | dict(self._daemon())
                found |= {name: told[name] for name in ("max_bytes", "days")}
                return Rows(tuple(found), (tuple(found.values()),))
            case Backup():
                now = str({**_UNKNOWN, **self._daemon()}["now"])
                return await self._alone(lambda db: _copied(db, wanted.path, now))
            case Compaction():
                return await self._compacted()
            case _:
                assert_never(wanted)

    async def _view(self, wanted: View) -> Rows:
        where = {name: value for name, value in wanted.where.items() if value is not None}
        above = {name: value for name, value in wanted.above.items() if value is not None}
        # The names come from the table of methods, never from a request.
        conditions = [f"{name} = ?" for name in where] + [f"{name} > ?" for name in above]
        tests = " AND ".join(conditions) or "1"
        sql = f"SELECT * FROM {wanted.name} WHERE {tests} ORDER BY {wanted.order}"  # noqa: S608
        args = (*where.values(), *above.values())
        return await self._rows(await self._open(), sql, args, wanted.limit)

    async def fetch(self, sql: str, args: tuple[object, ...] = ()) -> list[Any]:
        """Return all rows of a statement of the store's own, in one step of the connection.

        Raise sqlite3.Error.
        """
        return list(await (await self._open()).execute_fetchall(sql, args))

    async def read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Return what `work` finds, on a connection and a thread of its own.

        Where the database cannot be read, that is what it finds in an empty one. Raise DomainError
        (UNKEPT) for work that wants to write.
        """
        return await self._looked_up(asyncio.to_thread, work)

    async def decide(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Return what `work` decides, as `read` does, on the thread that limits its time."""
        return await self._looked_up(self._aside, work)

    async def _looked_up(self, aside: Aside, work: Callable[[sqlite3.Connection], T]) -> T:
        try:
            found: T = await aside(lambda: run_read_only(self._path, work))
            return found
        except sqlite3.OperationalError as error:
            if not refused(error):
                raise
            told = str(self._daemon().get("unkept") or "the database does not take it")
            raise DomainError("UNKEPT", told) from error

    async def _alone(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Return what `work` finds in the file itself."""

        def run() -> T:
            with closing(sqlite3.connect(self._uri, uri=True)) as db:
                return work(db)

        return await asyncio.to_thread(run)

    async def _compacted(self) -> Rows:
        try:
            sizes = await asyncio.to_thread(space.compacted, self._path)
        except (sqlite3.Error, OSError) as error:
            said = error.strerror if isinstance(error, OSError) else str(error)
            raise DomainError("FILE_FAILED", f"the database is as it was: {said}") from error
        return Rows(("before", "after"), (sizes,))

    async def trusted(self) -> dict[str, str]:
        """Return the digest that each project's own hooks are trusted with."""
        return await self.read(trusted)

    async def _own(self, query: Query) -> Rows:
        """Return the rows of a statement of the user's own as JSON, found by another process."""
        asked = asdict(query) | {"uri": self._uri, "seconds": self.seconds}
        async with self._statements:
            told = await asyncio.to_thread(_stated, json.dumps(asked).encode())
        if told.startswith(_ERROR):
            raise _failed(json.loads(told)["error"])
        return Rows((), (), raw=told)

    async def _rows(
        self, connection: aiosqlite.Connection, sql: str, args: Any, limit: int
    ) -> Rows:
        try:
            async with connection.execute(sql, args) as cursor:
                columns = tuple(column[0] for column in cursor.description or ())
                found = await _fetched(cursor, limit + 1)
        except (sqlite3.Error, sqlite3.Warning, ValueError, OverflowError) as error:
            raise _failed(str(error)) from error
        rows = tuple(tuple(row) for row in found[:limit])
        return Rows(columns, rows, more=len(found) > limit)

    async def _open(self) -> aiosqlite.Connection:
        if self._connection is None:
            self._connection = await aiosqlite.connect(self._uri, uri=True)
        return self._connection

    async def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            await self._connection.close()
