"""The database file: opened, migrated, and written by one thread that owns its connection.

Functions are handed to the writer's queue and run one after the other, each in one transaction.
Everything that only reads has a connection of its own, so that a slow query is never in the way.
"""

import asyncio
import queue
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from sqlite3 import Connection
from typing import Any, TypeVar

__all__ = ["Connection", "DatabaseError", "Writer", "open_database"]

T = TypeVar("T")

SCHEMA = Path(__file__).with_name("schema.sql")
MIGRATIONS = Path(__file__).with_name("migrations")
_NEEDED = (3, 37)  # STRICT tables


class DatabaseError(Exception):
    """The database cannot be used; the text names the file and the remedy."""


def open_database(path: Path, migrations: Path = MIGRATIONS) -> Connection:
    """Open the file read-write, made or migrated to the schema's version. Raise DatabaseError."""
    if sqlite3.sqlite_version_info < _NEEDED:
        raise DatabaseError(f"SQLite {sqlite3.sqlite_version} is too old; hookd needs 3.37")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.touch(mode=0o600)
        connection = sqlite3.connect(
            path, isolation_level=None, check_same_thread=False, cached_statements=256
        )
    except (OSError, sqlite3.Error) as error:
        raise DatabaseError(f"the database {path} cannot be opened: {error}") from error
    try:
        _prepare(connection, path, migrations)
    except BaseException:
        connection.close()
        raise
    return connection


def _prepare(connection: Connection, path: Path, migrations: Path) -> None:
    steps = {int(step.name[:4]): step for step in sorted(migrations.glob("[0-9]*.sql"))}
    try:
        connection.execute("PRAGMA busy_timeout = 5000")
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version > max(steps, default=1):  # before WAL mode is written into it
            raise DatabaseError(
                f"the database {path} was written by a newer hookd (version {version});"
                " upgrade hookd"
            )
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA cache_size = -16000")
        _migrate(connection, version, steps)
    except sqlite3.DatabaseError as error:
        remedy = "move it away, and hookd starts a new one"
        raise DatabaseError(f"the database {path} cannot be read: {error}; {remedy}") from error


def _migrate(connection: Connection, version: int, steps: dict[int, Path]) -> None:
    if version == 0:
        _run(connection, SCHEMA.read_text("utf-8"))
        return
    for number in sorted(step for step in steps if step > version):
        script = steps[number].read_text("utf-8")
        _run(connection, f"{script}\nPRAGMA user_version = {number};")


def _run(connection: Connection, script: str) -> None:
    # executescript commits what is open, so the transaction stands inside the script.
    connection.executescript(f"BEGIN IMMEDIATE;\n{script}\nCOMMIT;")


class Writer:
    """The one thread that owns the one writing connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._work: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._loop, name="hookd-writer", daemon=True)
        self._thread.start()

    async def run(self, work: Callable[[Connection], T]) -> T:
        """Run `work` in one transaction, after all that was handed in before.

        What it raises is raised here, and the transaction is rolled back.
        """
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()

        def step() -> None:
            try:
                value = self._transact(work)
            except BaseException as error:  # noqa: BLE001 - it belongs to whoever asked
                loop.call_soon_threadsafe(_fail, future, error)
            else:
                loop.call_soon_threadsafe(_succeed, future, value)

        self._work.put(step)
        return await future

    def _transact(self, work: Callable[[Connection], T]) -> T:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            value = work(self._connection)
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")
        return value

    def _loop(self) -> None:
        while (step := self._work.get()) is not None:
            step()

    def close(self) -> None:
        """Finish what was handed in, then close the connection."""
        self._work.put(None)
        self._thread.join()
        with closing(self._connection):
            self._connection.execute("PRAGMA optimize")


def _succeed(future: "asyncio.Future[Any]", value: object) -> None:
    if not future.cancelled():
        future.set_result(value)


def _fail(future: "asyncio.Future[Any]", error: BaseException) -> None:
    if not future.cancelled():
        future.set_exception(error)
