"""The database file: opened, migrated, and written by one thread that owns its connection.

Functions are handed to the writer's queue and run one after the other, each in one transaction.
Everything that only reads has a connection of its own, so that a slow query is never in the way.
"""

import queue
import sqlite3
import threading
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import field
from pathlib import Path
from sqlite3 import Connection
from time import perf_counter
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from hookd.lazy_dataclass import dataclass
from hookd.log.slow import SlowLog

if TYPE_CHECKING:
    import asyncio

__all__ = ["Connection", "DatabaseError", "StoreError", "Writer", "open_database"]

StoreError = sqlite3.Error
"""A statement failed: a full disk, a lock of another process, a damaged file."""

T = TypeVar("T")

BUSY = 500
"""Milliseconds that a transaction waits where another connection writes."""

SCHEMA = Path(__file__).with_name("schema.sql")
MIGRATIONS = Path(__file__).with_name("migrations")
_QUEUE_TIMEOUT_S = 0.5
"""Seconds after which work without the connection is not left to the writer's thread."""

_LOG = 8_000_000
"""Bytes of the write-ahead log that stay once all of it is in the database."""

_TOGETHER = 64  # works that one transaction takes at most
_NEEDED = (3, 37)  # STRICT tables


class DatabaseError(Exception):
    """The database cannot be used; the text names the file, `step` is the remedy."""

    def __init__(self, sentence: str, step: str) -> None:
        super().__init__(sentence)
        self.step = step


_STATEMENT = frozenset({sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_MISMATCH})
"""Errors of a step of a migration, as opposed to those of a file or a disk."""


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


def open_problem(path: Path) -> str:
    """Return why the database could not be opened, without changing it; nothing where it could."""
    if not path.exists():
        return ""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as db:
            db.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except sqlite3.Error as error:
        return f"the database {path} cannot be read: {error}"
    return newer(path)


def schema_version() -> int:
    """Return the version of the schema that this hookd has."""
    return max((int(step.name[:4]) for step in MIGRATIONS.glob("[0-9]*.sql")), default=1)


def newer(path: Path) -> str:
    """Return that a newer hookd wrote the database; empty if not, or if it cannot be read."""
    found = version(path)
    if found > schema_version():
        return f"the database {path} was written by a newer hookd (version {found})"
    return ""


def version(path: Path) -> int:
    """Return the version of a database, 0 if there is none or it cannot be read."""
    if not path.exists():
        return 0
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as db:
            return int(db.execute("PRAGMA user_version").fetchone()[0])
    except sqlite3.Error:
        return 0


def _prepare(connection: Connection, path: Path, migrations: Path) -> None:
    steps = {int(step.name[:4]): step for step in sorted(migrations.glob("[0-9]*.sql"))}
    try:
        connection.execute(f"PRAGMA busy_timeout = {BUSY}")
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version > max(steps, default=1):  # before WAL mode is written into it
            raise DatabaseError(
                f"the database {path} was written by a newer hookd (version {version})",
                "upgrade this hookd; hookd --version says what it is",
            )
        if version == 0:  # before the first page: free pages can be given back then
            connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(f"PRAGMA journal_size_limit = {_LOG}")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA foreign_keys = ON")
        _migrate(connection, version, steps)
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode & 0xFF in _STATEMENT:  # the file is whole
            step = "use the hookd that wrote it, and report this; the file is unchanged"
            raise DatabaseError(f"the database {path} cannot be updated: {error}", step) from error
        step = "move the file away, then hookd start: it begins a new one"
        raise DatabaseError(f"the database {path} cannot be read: {error}", step) from error


def _migrate(connection: Connection, version: int, steps: dict[int, Path]) -> None:
    if version == 0:
        _run(connection, SCHEMA.read_text("utf-8"))
        return
    for number in sorted(step for step in steps if step > version):
        script = steps[number].read_text("utf-8")
        _run(connection, f"{script}\nPRAGMA user_version = {number};")


def renewed(connection: Connection) -> Connection:
    """Return a copy in memory of a database of an older version, as this hookd would have it.

    Raise sqlite3.Error if that is not possible.
    """
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    steps = {int(step.name[:4]): step for step in MIGRATIONS.glob("[0-9]*.sql")}
    if not 0 < version < max(steps):
        raise sqlite3.DatabaseError(f"version {version} is not an older one")
    copy = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    try:
        connection.backup(copy)
        _migrate(copy, version, steps)
        copy.execute("PRAGMA query_only = 1")
    except BaseException:
        copy.close()
        raise
    return copy


def _run(connection: Connection, script: str) -> None:
    # executescript commits what is open, so the transaction stands inside the script.
    connection.executescript(f"BEGIN IMMEDIATE;\n{script}\nCOMMIT;")


@dataclass(frozen=True, slots=True)
class _Asked:
    """Work, and who waits for it."""

    work: Callable[[Connection], Any]
    future: "asyncio.Future[Any]"
    loop: "asyncio.AbstractEventLoop"


@dataclass(slots=True)
class _Aside:
    """Work without the writing connection; whoever sets `taken` first runs it."""

    work: Callable[[], Any]
    future: "asyncio.Future[Any]"
    loop: "asyncio.AbstractEventLoop"
    taken: threading.Lock = field(default_factory=threading.Lock)

    def take(self) -> bool:
        """Claim it; return False if another thread runs it."""
        return self.taken.acquire(blocking=False)


class Writer(Protocol):
    """Runs work on the one writing connection."""

    async def run(self, work: Callable[[Connection], T]) -> T:
        """Run `work` in a transaction; return its value once it is committed."""

    async def aside(self, work: Callable[[], T]) -> T:
        """Run `work` on the writer's thread, outside of any transaction."""

    async def alone(self, work: Callable[[Connection], T]) -> T:
        """Run `work` on the connection, outside of a transaction, in its turn."""


class WriterThread:
    """The one thread that owns the one writing connection.

    What waits at the same time is committed together: then a commit costs a fraction. Of several
    works each has a savepoint of its own, so that one's error undoes nothing of another's.

    It works on a thread of its own, or with `thread` false on the thread that calls `serve`.
    """

    def __init__(self, connection: Connection | None, *, thread: bool = True) -> None:
        self._connection = connection
        self._work: queue.SimpleQueue[_Asked | _Aside | None] = queue.SimpleQueue()
        self._ended = threading.Event()
        self._slow = SlowLog("statement")
        if thread:
            threading.Thread(target=self.serve, name="hookd-writer", daemon=True).start()

    def connect(self, connection: Connection) -> None:
        """Set the connection of a writer that was made without one; no work was run before."""
        self._connection = connection

    async def run(self, work: Callable[[Connection], T]) -> T:
        """Run `work` after all that was handed in before; return its value once it is committed.

        What it raises is raised here, and what it wrote is undone.
        """
        from asyncio import get_running_loop  # noqa: PLC0415 - who only reads needs no loop

        loop = get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._work.put(_Asked(work, future, loop))
        return await future

    async def aside(self, work: Callable[[], T]) -> T:
        """Run `work` on the writer's thread, outside of any transaction.

        Where that thread does not come to it in time, as on a disk that hangs, it runs elsewhere.
        """
        from asyncio import to_thread, wait  # noqa: PLC0415 - as above

        one = self._put(work)
        done, _ = await wait({one.future}, timeout=_QUEUE_TIMEOUT_S)
        if not done and one.take():
            return await to_thread(work)
        value: T = await one.future
        return value

    async def alone(self, work: Callable[[Connection], T]) -> T:
        """Run `work` on the connection, outside of a transaction, once its turn has come."""

        def run() -> T:
            if self._connection is None:
                raise sqlite3.OperationalError("the database is not open")
            return work(self._connection)

        value: T = await self._put(run).future
        return value

    async def beat(self) -> None:
        """Return once the thread has come to it, however long that takes."""
        await self._put(_nothing).future

    def _put(self, work: Callable[[], Any]) -> _Aside:
        from asyncio import get_running_loop  # noqa: PLC0415 - as above

        loop = get_running_loop()
        one = _Aside(work, loop.create_future(), loop)
        self._work.put(one)
        return one

    def serve(self) -> None:
        """Work on this thread until closed."""
        while group := self._group():
            for one in group:
                if isinstance(one, _Aside):
                    _run_aside(one)
            if works := [one for one in group if isinstance(one, _Asked)]:
                self._transact(works)
        self._ended.set()

    def _group(self) -> list[_Asked | _Aside]:
        """Return what waits, in its order; nothing at the end."""
        group: list[_Asked | _Aside] = []
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
        assert db is not None  # noqa: S101 - nothing is handed in before
        try:
            self._timed(db, "BEGIN IMMEDIATE")
            step = _step if len(group) > 1 else _only_step
            told = [(asked, *step(db, asked.work)) for asked in group]
            self._timed(db, "COMMIT")
        except BaseException as error:  # noqa: BLE001 - it is raised in the callers
            with suppress(sqlite3.Error):  # this thread must survive
                if db.in_transaction:
                    db.execute("ROLLBACK")
            told = [(asked, None, error) for asked in group]
        # In a closed loop, no caller waits any more.
        with suppress(RuntimeError):
            group[0].loop.call_soon_threadsafe(_tell, told)

    def _timed(self, db: Connection, sql: str) -> None:
        """Execute a statement that waits for other processes or the disk; log it if it is slow."""
        began = perf_counter()
        try:
            db.execute(sql)
        finally:
            self._slow.note(sql, perf_counter() - began)

    @property
    def waiting(self) -> int:
        """How many works wait for the connection."""
        return self._work.qsize()

    def close(self) -> None:
        """Finish what was handed in, then close the connection."""
        self._work.put(None)
        self._ended.wait()
        connection, self._connection = self._connection, None
        if connection is not None:
            with closing(connection):
                connection.execute("PRAGMA optimize")


def _step(db: Connection, work: Callable[[Connection], Any]) -> tuple[Any, BaseException | None]:
    """Return the value of one work, or its error; what an error leaves behind is undone."""
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


def _only_step(
    db: Connection, work: Callable[[Connection], Any]
) -> tuple[Any, BaseException | None]:
    """Return the value of the only work of a transaction; an error undoes all of it."""
    return work(db), None


def _nothing() -> None:
    """Do nothing."""


def _run_aside(one: _Aside) -> None:
    if not one.take():
        return
    try:
        value, error = one.work(), None
    except BaseException as fault:  # noqa: BLE001 - it belongs to whoever asked
        value, error = None, fault
    with suppress(RuntimeError):
        one.loop.call_soon_threadsafe(_tell, [(one, value, error)])


def _tell(told: Sequence[tuple[_Asked | _Aside, Any, BaseException | None]]) -> None:
    """Settle the future of each; a future that is already settled is skipped."""
    for asked, value, error in told:
        if asked.future.done():
            continue
        if error is None:
            asked.future.set_result(value)
        else:
            asked.future.set_exception(_settable(error))


def _settable(error: BaseException) -> BaseException:
    """Return an error that a future accepts: a StopIteration is wrapped."""
    if not isinstance(error, StopIteration):
        return error
    wrapped = RuntimeError("the work raised StopIteration")
    wrapped.__cause__ = error
    return wrapped
