"""Check the database file: bounded for `hookd doctor`, complete for `hookd db check`."""

import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from time import monotonic

from hookd.lazy_dataclass import dataclass

_SMALL_ROWS = 2_000
"""Rows up to which a table is checked whole by the bounded check."""

_NEWEST_ROWS = 100
"""Rows of a larger table that are read by the bounded check."""

_BUDGET_S = 0.15
"""Time of the bounded check; tables that it does not reach are not checked."""

_STEPS = 200
"""Steps of SQLite's machine between two looks at the clock: a step may read a page."""

_MAX_PROBLEMS = 100

_LOCK_TIMEOUT_S = 0.1
"""Time that the bounded check waits for another connection's lock."""

_UNREADABLE = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PERM,
}
"""Errors that say nothing about the content of the file."""


@dataclass(frozen=True, slots=True)
class Checked:
    """The problems that were found, and the tables that were not checked whole.

    `unread` says why the file could not be read at all, which is no damage; else it is empty.
    """

    problems: tuple[str, ...]
    skipped: tuple[str, ...] = ()
    unread: str = ""


def check_bounded(path: Path, seconds: float = _BUDGET_S) -> Checked:
    """Check small tables whole and the newest rows of others, for at most so many seconds."""
    problems: list[str] = []
    skipped: list[str] = []
    end = monotonic() + seconds
    try:
        with closing(_open(path, _LOCK_TIMEOUT_S)) as db:
            tables = _tables(db)
            db.set_progress_handler(lambda: int(monotonic() > end), _STEPS)
            for table in tables:
                try:
                    found = _check_table(db, table)
                except sqlite3.OperationalError as error:
                    if error.sqlite_errorcode != sqlite3.SQLITE_INTERRUPT:
                        raise
                    found = None
                if found is None:
                    skipped.append(table)
                problems += found or ()
    except sqlite3.DatabaseError as error:
        return _unread(error, tuple(problems), tuple(skipped))
    return Checked(tuple(problems), tuple(skipped))


def _unread(
    error: sqlite3.DatabaseError, problems: tuple[str, ...] = (), skipped: tuple[str, ...] = ()
) -> Checked:
    """Return what was found before an error, which is damage, or says why nothing can be read."""
    if error.sqlite_errorcode & 0xFF in _UNREADABLE:
        return Checked(problems, skipped, str(error))
    return Checked((*problems, f"the file cannot be read: {error}"), skipped)


def _check_table(db: sqlite3.Connection, table: str) -> list[str] | None:
    """Return the problems of a small table; of a large one, read some rows and entries: None."""
    # The names are those of the schema itself.
    count = f"SELECT count(*) FROM (SELECT 1 FROM {table} LIMIT {_SMALL_ROWS + 1})"  # noqa: S608
    if db.execute(count).fetchone()[0] <= _SMALL_ROWS:
        checks = (f"PRAGMA integrity_check({table})", f"PRAGMA foreign_key_check({table})")
        return _problems(db, *checks)
    newest = f"SELECT * FROM {table} ORDER BY rowid DESC LIMIT {_NEWEST_ROWS}"  # noqa: S608
    if "WITHOUT ROWID" not in _schema(db, table):
        db.execute(newest).fetchall()
    _read_index_ends(db, table)
    return None


def _read_index_ends(db: sqlite3.Connection, table: str) -> None:
    """Read the first and the last entry of each index: damage there refuses each new row."""
    indexes = "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = ?"
    for name, sql in db.execute(indexes, (table,)).fetchall():
        column = db.execute(f"PRAGMA index_info({name})").fetchone()[2]
        if column is None:  # an expression
            continue
        where = "WHERE " + sql.split(" WHERE ", 1)[1] if sql and " WHERE " in sql else ""
        entry = f"SELECT {column} FROM {table} INDEXED BY {name} {where}"  # noqa: S608
        for order in ("ASC", "DESC"):
            db.execute(f"{entry} ORDER BY {column} {order} LIMIT 1").fetchall()


class CompleteCheck:
    """A check of the whole file; it may take 10 seconds per gigabyte.

    `timeout_s` is the time that it waits for another connection's lock.
    """

    def __init__(self, path: Path, timeout_s: float = 5.0) -> None:
        self._path, self._timeout_s = path, timeout_s
        self._db: sqlite3.Connection | None = None
        self._stopped = False

    def run(self) -> Checked | None:
        """Return what was found; None after `interrupt`."""
        try:
            with closing(_open(self._path, self._timeout_s)) as self._db:
                checks = (f"PRAGMA integrity_check({_MAX_PROBLEMS})", "PRAGMA foreign_key_check")
                return Checked(tuple(_problems(self._db, *checks)))
        except sqlite3.DatabaseError as error:
            return None if self._stopped else _unread(error)

    def interrupt(self) -> None:
        """End the check, from another thread."""
        self._stopped = True
        if self._db is not None:
            with suppress(sqlite3.ProgrammingError):  # it has just ended
                self._db.interrupt()


def _problems(db: sqlite3.Connection, integrity: str, references: str) -> list[str]:
    found = [row[0] for row in db.execute(integrity) if row[0] != "ok"]
    astray = db.execute(references).fetchmany(_MAX_PROBLEMS)
    return found + [
        f"row {row} of {table} refers to a row of {parent} that is not"
        for table, row, parent, _ in astray
    ]


def _open(path: Path, timeout_s: float) -> sqlite3.Connection:
    uri = f"{path.absolute().as_uri()}?mode=ro"
    return sqlite3.connect(uri, uri=True, check_same_thread=False, timeout=timeout_s)


def _tables(db: sqlite3.Connection) -> list[str]:
    sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    return [name for (name,) in db.execute(sql)]


def _schema(db: sqlite3.Connection, table: str) -> str:
    sql = "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?"
    return str(db.execute(sql, (table,)).fetchone()[0])
