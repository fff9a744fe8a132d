"""The database file: opened, migrated, and written by one thread that owns its connection.

Functions are handed to the writer's queue and run one after the other, each in one transaction.
Everything that only reads has a connection of its own, so that a slow query is never in the way.
"""

import asyncio
import queue
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from sqlite3 import Connection
from typing import Any, TypeVar

__all__ = ["Connection", "DatabaseError", "StoreError", "Writer", "open_database"]

StoreError = sqlite3.Error
"""A statement failed: a full disk, a lock of somebody else's, a damaged file."""

T = TypeVar("T")

SCHEMA = Path(__file__).with_name("schema.sql")
MIGRATIONS = Path(__file__).with_name("migrations")
_TOGETHER = 64  # works that one transaction takes at most
_NEEDED = (3, 37)  # STRICT tables


class DatabaseError(Exception):
    """The database cannot be used; the text names the file, `step` is the remedy."""

    def __init__(self, sentence: str, step: str) -> None:
        super().__init__(sentence)
        self.step = step


def open_database(path: Path, migrations: Path = MIGRATIONS) -> Connection:
    """Open the file read-write, made or migrated to the schema's version. Raise DatabaseError."""
    if sqlite3.sqlite_version_info < _NEEDED:
        old = f"SQLite {sqlite3.sqlite_version} is too old; hookd needs 3.37"
        raise DatabaseError(old, "install a Python whose sqlite3 is newer")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.touch(mode=0o600)
        path.chmod(path.stat().st_mode & 0o700)  # what was copied here may be wider
        connection = sqlite3.connect(
            path, isolation_level=None, check_same_thread=False, cached_statements=256
        )
    except (OSError, sqlite3.Error) as error:
        step = "see that the file and its folder are yours to write, then hookd start"
        raise DatabaseError(f"the database {path} cannot be opened: {error}", step) from error
    try:
        _prepare(connection, path, migrations)
    except BaseException:
        connection.close()
        raise
    return connection


def trouble(path: Path) -> str:
    """Return why the database could not be opened, without changing it; nothing where it could."""
    if not path.exists():
        return ""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as db:
            (version,) = db.execute("PRAGMA user_version").fetchone()
            db.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except sqlite3.Error as error:
        return f"the database {path} cannot be read: {error}"
    steps = [int(step.name[:4]) for step in MIGRATIONS.glob("[0-9]*.sql")]
    if version > max(steps, default=1):
        return f"the database {path} was written by a newer hookd (version {version})"
    return ""


def _prepare(connection: Connection, path: Path, migrations: Path) -> None:
    steps = {int(step.name[:4]): step for step in sorted(migrations.glob("[0-9]*.sql"))}
    try:
        connection.execute("PRAGMA busy_timeout = 500")
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version > max(steps, default=1):  # before WAL mode is written into it
            raise DatabaseError(
                f"the database {path} was written by a newer hookd (version {version})",
                "upgrade this hookd; hookd --version says what it is",
            )
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA foreign_keys = ON")
        _migrate(connection, version, steps)
    except sqlite3.DatabaseError as error:
        step = "move the file away, then hookd start: it begins a new one"
        raise DatabaseError(f"the database {path} cannot be read: {error}", step) from error


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


@dataclass(frozen=True, slots=True)
class _Asked:
    """Work, and who waits for it."""

    work: Callable[[Connection], Any]
    future: "asyncio.Future[Any]"
    loop: asyncio.AbstractEventLoop


class Writer:
    """The one thread that owns the one writing connection.

    What waits at the same time is committed together: then a commit costs a fraction. Each work has
    a savepoint of its own, so that one's error undoes nothing of another's.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._work: queue.SimpleQueue[_Asked | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._loop, name="hookd-writer", daemon=True)
        self._thread.start()

    async def run(self, work: Callable[[Connection], T]) -> T:
        """Run `work` after all that was handed in before; return its value once it is committed.

        What it raises is raised here, and what it wrote is undone.
        """
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._work.put(_Asked(work, future, loop))
        return await future

    def _loop(self) -> None:
        while group := self._group():
            self._transact(group)

    def _group(self) -> list[_Asked]:
        """Return what waits, in its order; nothing at the end."""
        group: list[_Asked] = []
        while len(group) < _TOGETHER:
            try:
                asked = self._work.get(block=not group)
            except queue.Empty:
                break
            if asked is None:
                self._work.put(None)  # the end is for the next turn, too
                break
            group.append(asked)
        return group

    def _transact(self, group: list[_Asked]) -> None:
        """Do the work of a group, each on its own, and commit it together; then tell the askers."""
        db = self._connection
        try:
            db.execute("BEGIN IMMEDIATE")
            told = [(asked, *self._step(asked.work)) for asked in group]
            db.execute("COMMIT")
        except BaseException as error:  # noqa: BLE001 - it belongs to those who asked
            with suppress(sqlite3.Error):  # whatever happens, this thread goes on
                if db.in_transaction:
                    db.execute("ROLLBACK")
            told = [(asked, None, error) for asked in group]
        # A loop that is closed has nobody left who waits.
        with suppress(RuntimeError):
            group[0].loop.call_soon_threadsafe(_tell, told)

    def _step(self, work: Callable[[Connection], Any]) -> tuple[Any, BaseException | None]:
        """Return the value of one work, or its error; what an error leaves behind is undone."""
        db = self._connection
        db.execute("SAVEPOINT step")
        try:
            value, error = work(db), None
        except BaseException as fault:
            if not db.in_transaction:
                raise  # SQLite has undone the whole of it, as on a full disk: this is why
            db.execute("ROLLBACK TO step")
            value, error = None, fault
        db.execute("RELEASE step")
        return value, error

    def close(self) -> None:
        """Finish what was handed in, then close the connection."""
        self._work.put(None)
        self._thread.join()
        with closing(self._connection):
            self._connection.execute("PRAGMA optimize")


def _tell(told: list[tuple[_Asked, Any, BaseException | None]]) -> None:
    for asked, value, error in told:
        if asked.future.cancelled():
            continue
        if error is not None:
            asked.future.set_exception(error)
        else:
            asked.future.set_result(value)
