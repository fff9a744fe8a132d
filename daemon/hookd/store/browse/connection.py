"""Read-only connections to the database file, for processes that show it: board, browser, metrics.

In WAL mode a reader delays no writer, but a read transaction that stays open makes the log grow:
each request is one short transaction with a time limit.
"""

import sqlite3
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

from hookd.lazy_dataclass import dataclass
from hookd.store import recovery, space
from hookd.store.database import schema_version

Connection = sqlite3.Connection
T = TypeVar("T")

_BUSY_MS = 500
_IDLE = 4
"""Connections that stay open between requests."""

_LOCKED = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_PRIMARY = 0xFF
"""Mask of the primary code in an extended error code."""


class BrowseError(Exception):
    """The database cannot be read; the text says why, `step` is the next command or act."""

    def __init__(self, sentence: str, step: str) -> None:
        super().__init__(sentence)
        self.step = step


class NoDatabaseError(BrowseError):
    """There is no database, or nothing in it: no daemon has run yet."""


class VersionError(BrowseError):
    """An older or a newer hookd wrote the database."""


class LockedError(BrowseError):
    """Another process holds an exclusive lock."""


class DamagedError(BrowseError):
    """The file is not a sound database."""


class UnreadableError(BrowseError):
    """The file cannot be opened or read, such as for want of permission."""


class TooSlowError(BrowseError):
    """The time limit of the request ended it."""


@dataclass(slots=True)
class _Opened:
    """An open connection; `file` identifies the file: recovery replaces a damaged one."""

    db: Connection
    file: tuple[int, int]


class Browser:
    """Runs queries on the database at `path`; any thread may use it, several at the same time.

    `seconds` is the time limit of a request.
    """

    def __init__(self, path: Path, seconds: float = 2.0) -> None:
        self._path = path
        self._seconds = seconds
        self._version = schema_version()
        self._idle: list[_Opened] = []
        self._lock = Lock()

    def read(self, query: Callable[[Connection], T], seconds: float | None = None) -> T:
        """Return what `query` returns for one state of the database. Raise BrowseError.

        `query` reads everything before it returns: no cursor outlives it.
        """
        limit = self._seconds if seconds is None else seconds
        opened = None
        try:
            opened = self._take()
            with space.limited(opened.db, limit):
                found = self._transaction(opened.db, query)
        except BaseException as error:
            if opened is not None:
                opened.db.close()
            if isinstance(error, sqlite3.Error):
                raise self._problem(error, limit) from error
            raise
        self._give_back(opened)
        return found

    def close(self) -> None:
        """Close the idle connections; a later request opens another one."""
        with self._lock:
            idle, self._idle = self._idle, []
        for opened in idle:
            opened.db.close()

    def _transaction(self, db: Connection, query: Callable[[Connection], T]) -> T:
        db.execute("BEGIN")
        try:
            self._check_version(db.execute("PRAGMA user_version").fetchone()["user_version"])
            return query(db)
        finally:
            with suppress(sqlite3.Error):
                db.execute("ROLLBACK")

    def _take(self) -> _Opened:
        """Return an idle connection to the file that is there now, or a new one."""
        try:
            stat = self._path.stat()
        except FileNotFoundError as error:
            raise self._missing() from error
        except OSError as error:
            raise self._unreadable(error.strerror) from error
        file = stat.st_dev, stat.st_ino
        with self._lock:
            found = [opened for opened in self._idle if opened.file == file]
            old = [opened for opened in self._idle if opened.file != file]
            opened = found.pop() if found else None
            self._idle = found
        for one in old:
            one.db.close()
        return opened or _Opened(_connect(self._path), file)

    def _give_back(self, opened: _Opened) -> None:
        with self._lock:
            if keep := len(self._idle) < _IDLE:
                self._idle.append(opened)
        if not keep:
            opened.db.close()

    def _check_version(self, version: int) -> None:
        if version == 0:
            raise self._missing()
        if version < self._version:
            sentence = f"the database {self._path} is of an older hookd (version {version})"
            raise VersionError(f"{sentence}; this one reads version {self._version}.", _RESTART)
        if version > self._version:
            sentence = f"the database {self._path} is of a newer hookd (version {version})"
            step = "start this command again, with the hookd that the daemon has"
            raise VersionError(f"{sentence}; this one reads version {self._version}.", step)

    def _problem(self, error: sqlite3.Error, limit: float) -> BrowseError:
        """Return a failed request as an error in words."""
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
        if code == sqlite3.SQLITE_INTERRUPT:
            step = "try a narrower filter, or a shorter time"
            return TooSlowError(f"the database did not answer within {limit:g} s.", step)
        if code & _PRIMARY in _LOCKED:
            sentence = f"another process has locked the database {self._path}."
            return LockedError(sentence, "wait for it, then try again")
        if recovery.damaged(error):
            sentence = f"the database {self._path} is damaged: {error}."
            return DamagedError(sentence, "hookd db check")
        return self._unreadable(str(error))

    def _missing(self) -> NoDatabaseError:
        return NoDatabaseError(f"there is no database {self._path} yet.", "hookd start")

    def _unreadable(self, why: str | None) -> UnreadableError:
        sentence = f"the database {self._path} cannot be read: {why}."
        return UnreadableError(sentence, "see that the file and its folder are yours")


_RESTART = "hookd restart: the daemon brings it to the new version"


def _connect(path: Path) -> Connection:
    uri = f"{path.absolute().as_uri()}?mode=ro"
    db = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)
    try:
        db.execute(f"PRAGMA busy_timeout = {_BUSY_MS}")
        db.execute("PRAGMA query_only = 1")
        db.row_factory = _as_dict
    except BaseException:
        db.close()
        raise
    return db


def _as_dict(cursor: sqlite3.Cursor, row: tuple[Any, ...]) -> dict[str, Any]:
    return {column[0]: value for column, value in zip(cursor.description, row, strict=True)}
