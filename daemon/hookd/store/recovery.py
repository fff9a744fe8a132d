"""Recovery of a database that is damaged or cannot be written.

A damaged file is renamed, with the time in its name, and a new one is created. What cannot be
written is read, as far as it can be.
"""

import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from sqlite3 import Connection
from typing import TypeVar

from hookd.core.evaluation.read_only import UNREAD_RULE
from hookd.lazy_dataclass import dataclass
from hookd.lazy_pattern import lazy_compile
from hookd.store.database import SCHEMA, DatabaseError, open_database, renewed

T = TypeVar("T")

_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_UNWRITABLE = frozenset(
    {
        *(sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY),
        *(sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_CANTOPEN),
        *(sqlite3.SQLITE_PERM, sqlite3.SQLITE_NOLFS, sqlite3.SQLITE_PROTOCOL),
    }
)
_BESIDE = ("", "-wal", "-shm")
_MAGIC = (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83")
"""How a write-ahead log begins."""

_UNREAD = lazy_compile(r"error code=(\d+)|failed to get page")
"""Beginning of a row of a check that reports a page it could not read."""

_LARGE = 300_000_000
"""Bytes that are too many to be looked through before hooks are answered."""

_COPIED = 100_000_000
"""Bytes of a database of an older version that are copied for one reading: some 50 ms."""

_LOCK_TIMEOUT_S = 1.0
"""Seconds that a read waits for another process's lock."""


@dataclass(frozen=True)
class Opened:
    """The writing connection, or why there is none; and what was kept aside, where that is so."""

    connection: Connection | None
    fault: str = ""
    aside: str = ""


def damaged(error: BaseException | None) -> bool:
    """Whether an error says that the file is no sound database."""
    return _code(error) in _DAMAGED


def unwritable(error: BaseException | None) -> bool:
    """Return whether an error is the disk's, or another process's lock: a retry may succeed."""
    return isinstance(error, OSError) or _code(error) in _UNWRITABLE


def refused(error: BaseException) -> bool:
    """Return whether an error is a write to a read-only file, which is sound."""
    return getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_READONLY


def opened(path: Path, at: str, *, doubtful: bool = False) -> Opened:
    """Open the database for writing. Raise DatabaseError where a person has to decide.

    The caller holds the daemon's lock. `at` is the time, for the renamed file. A database that is
    `doubtful`, since its last daemon was killed, is checked, unless it is large.
    """
    aside = _without_garbage(path, at)
    if doubtful and path.exists() and path.stat().st_size < _LARGE and not sound(path):
        aside = keep_aside(path, at)
    for _ in range(2):  # a disk that fails once looks like damage
        try:
            return Opened(open_database(path), aside=aside)
        except DatabaseError as error:
            if unwritable(error.__cause__):
                return Opened(None, fault=str(error), aside=aside)
            if not damaged(error.__cause__):
                raise
    aside = keep_aside(path, at)
    return Opened(open_database(path), aside=aside)


def keep_aside(path: Path, at: str, ends: tuple[str, ...] = _BESIDE) -> str:
    """Give the database, or what `ends` names of it, a name that says when; return that."""
    stamp = at.translate({ord(mark): None for mark in "-:."})
    other = path.with_name(f"{path.name}.corrupt-{stamp}")
    moved = [end for end in ends if Path(f"{path}{end}").exists()]
    # The file itself goes last: SQLite deletes a log beside which there is none.
    for end in reversed(moved):
        Path(f"{path}{end}").rename(f"{other}{end}")
    return f"{other}{moved[0]}" if moved else ""


def sound(path: Path) -> bool:
    """Whether the whole file can be read, and is as SQLite has written it: that takes its time.

    A disk that fails once looks like damage, so a damaged file is read again.
    """
    return _checked(path) or _checked(path)


def _checked(path: Path) -> bool:
    try:
        with closing(sqlite3.connect(_read_only(path), uri=True)) as db:
            return not harmed(db.execute("PRAGMA quick_check(1)").fetchone()[0])
    except sqlite3.Error as error:
        return not damaged(error)


def harmed(told: str) -> bool:
    """Return whether a check's first row reports damage, not a disk that failed, perhaps once."""
    unread = _UNREAD.search(told)
    if unread is not None:
        return unread[1] is not None and int(unread[1]) & 0xFF in _DAMAGED
    return told != "ok"


def run_read_only(path: Path, work: Callable[[Connection], T]) -> T:
    """Return what `work` finds in the database, or where that cannot be read, in an empty one.

    One of an older version is read from a copy in memory, unless it is too large. Guards decide or
    ask: rules may be set that cannot be read, so the empty database has a rule that asks.
    """
    try:
        return _read(path, work)
    except sqlite3.Error as error:
        if refused(error) or not (damaged(error) or unwritable(error) or _unfinished(path)):
            raise
        size = path.stat().st_size if path.exists() else 0
    if 0 < size <= _COPIED:
        with suppress(sqlite3.Error):
            return _read(path, partial(_renewed, work))
    return unread(work, known=size > 0)


def _renewed(work: Callable[[Connection], T], old: Connection) -> T:
    with closing(renewed(old)) as db:
        return work(db)


def unread(work: Callable[[Connection], T], *, known: bool = True) -> T:
    """Return what `work` finds in an empty database; `known`: in the real one rules may be set."""
    with closing(_empty(known=known)) as db:
        return work(db)


def _read(path: Path, work: Callable[[Connection], T]) -> T:
    """Return what `work` finds in the file, and leave no file beside it. Raise StoreError.

    Where no writer has it open, SQLite would create a log and its index, which only a writer
    removes; so the file is read as immutable. If another process changed it, it is read again.
    """
    if not _written(path):
        with suppress(sqlite3.Error):
            uri = f"{_read_only(path)}&immutable=1"
            with closing(sqlite3.connect(uri, uri=True)) as db:
                found = work(db)
            if not _written(path):
                return found
    with closing(sqlite3.connect(_read_only(path), uri=True, timeout=_LOCK_TIMEOUT_S)) as db:
        return work(db)


def _written(path: Path) -> bool:
    """Return whether a writer has the file open, or left it in the middle of something."""
    return any(Path(f"{path}{end}").exists() for end in ("-wal", "-journal"))


def _unfinished(path: Path) -> bool:
    """Whether the file has not come to this hookd's schema: there was no room, or no lock."""
    asked = "PRAGMA user_version"
    try:
        with (
            closing(sqlite3.connect(_read_only(path), uri=True)) as db,
            closing(_empty(known=False)) as whole,
        ):
            return bool(db.execute(asked).fetchone() != whole.execute(asked).fetchone())
    except sqlite3.Error:
        return True


def claim_report(db: Connection, path: str) -> bool:
    """Claim the report about the file renamed to this path; return False if it was claimed."""
    known = db.execute("SELECT value FROM meta WHERE key = 'replaced'").fetchone()
    db.execute("INSERT OR REPLACE INTO meta VALUES ('replaced', ?)", (path,))
    return known is None or known[0] != path


def _read_only(path: Path) -> str:
    return path.absolute().as_uri() + "?mode=ro"


def _empty(*, known: bool) -> Connection:
    db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    db.executescript(SCHEMA.read_text("utf-8"))
    if known:
        columns = "(name, scope, rule_json, created_at) VALUES ('hookd', 'user', ?, '')"
        db.execute(f"INSERT INTO guards {columns}", (UNREAD_RULE,))
    db.execute("PRAGMA query_only = 1")
    return db


def _without_garbage(path: Path, at: str) -> str:
    """Rename a file in the place of the write-ahead log: SQLite would ignore it silently."""
    log = Path(f"{path}-wal")
    with suppress(OSError):
        with log.open("rb") as file:
            start = file.read(4)
        if start and start not in _MAGIC:
            Path(f"{path}-shm").unlink(missing_ok=True)
            return keep_aside(path, at, ("-wal",))
    return ""


def _code(error: BaseException | None) -> int | None:
    """Return SQLite's number of an error, without what it says beyond its kind."""
    code = getattr(error, "sqlite_errorcode", None)
    return code & 0xFF if isinstance(code, int) else None
