"""How much room the database takes, and how room is given back: old rows, free pages, the WAL."""

import errno
import shutil
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from time import monotonic
from typing import Any

from hookd.events.payload_excerpt import MAX_EXCERPT_CHARS, excerpt_record
from hookd.lazy_dataclass import dataclass
from hookd.redaction.redact import Record

_INCREMENTAL = 2
"""The mode of auto_vacuum in which free pages are given back on request."""

_NEWEST = 1_000
"""Events and messages that stay, however large the database is."""

_STEPS = 100_000  # of SQLite's machine, between two looks at the clock

_LARGEST = 2_000_000
"""Characters of old payloads that are cut in one step."""


@dataclass(frozen=True, slots=True)
class Space:
    """Bytes of the file, of those the free ones, and of its write-ahead log.

    `gives_back`: free pages can be given back to the file system.
    """

    file: int
    free: int
    log: int
    gives_back: bool

    @property
    def used(self) -> int:
        """Bytes that hold something."""
        return self.file - self.free


@dataclass(frozen=True, slots=True)
class Long:
    """The payload of an older event, as it was kept before long ones were cut."""

    id: int
    payload: str
    sha256: str | None


def space(db: sqlite3.Connection, path: Path) -> Space:
    """Return how much room the database takes."""
    pages, free, each, mode = (
        db.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("page_count", "freelist_count", "page_size", "auto_vacuum")
    )
    return Space(pages * each, free * each, log_bytes(path), mode == _INCREMENTAL)


def log_bytes(path: Path) -> int:
    """Return the size of the write-ahead log."""
    try:
        return path.with_name(f"{path.name}-wal").stat().st_size
    except OSError:
        return 0


def give_back(db: sqlite3.Connection, pages: int) -> None:
    """Give some free pages back to the file system; outside of a transaction."""
    # As a script: of a statement that returns rows without columns, only one step would be made.
    db.executescript(f"PRAGMA incremental_vacuum({pages})")


def checkpoint(path: Path) -> None:
    """Move the log into the database, as far as no reader needs it: for a thread."""
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()


def empty_log(db: sqlite3.Connection) -> bool:
    """Empty the log, once all of it is in the database; outside of a transaction.

    Return False if a reader uses it.
    """
    (before,) = db.execute("PRAGMA busy_timeout").fetchone()
    patience(db, 0)  # answers must not wait for who reads
    try:
        busy, _, _ = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    finally:
        patience(db, before)
    return not busy


def patience(db: sqlite3.Connection, milliseconds: int) -> None:
    """Wait for so long where another connection writes."""
    db.execute(f"PRAGMA busy_timeout = {milliseconds}")


def has_room(path: Path) -> bool:
    """Whether the disks have room for the copies that `compact` makes."""
    size = path.stat().st_size
    return all(
        shutil.disk_usage(folder).free > 2 * size + 100_000_000
        for folder in (path.parent, tempfile.gettempdir())
    )


def compact(path: Path) -> None:
    """Compact the database to drop free pages; afterwards they can be released incrementally.

    For a thread. Others can read meanwhile, and writing waits.
    """
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute(f"PRAGMA auto_vacuum = {_INCREMENTAL}")
        db.execute("VACUUM")
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def drop_bodies(db: sqlite3.Connection, most: int) -> int:
    """Delete the oldest bodies, a few at a time; return how many."""
    sql = (
        "DELETE FROM bodies WHERE event_id IN (SELECT event_id FROM bodies"
        " WHERE event_id <= (SELECT max(id) FROM events) - ? ORDER BY event_id LIMIT ?)"
    )
    return max(0, db.execute(sql, (_NEWEST, most)).rowcount)


def oldest(db: sqlite3.Connection, many: int) -> str | None:
    """Return a time before which the oldest rows are, so many at most; None where there are few."""
    sql = (
        "SELECT min(at) FROM (SELECT max(at) AS at FROM (SELECT at FROM events"
        " WHERE id <= (SELECT max(id) FROM events) - ?1 ORDER BY at LIMIT ?2)"
        " UNION ALL SELECT max(at) FROM (SELECT timestamp AS at FROM messages"
        " WHERE id <= (SELECT max(id) FROM messages) - ?1 ORDER BY timestamp LIMIT ?2))"
    )
    found: str | None = db.execute(sql, (_NEWEST, many)).fetchone()[0]
    return found


def last_event(db: sqlite3.Connection) -> str | None:
    """Return when the last event was recorded."""
    row = db.execute("SELECT at FROM events ORDER BY id DESC LIMIT 1").fetchone()
    return row[0] if row else None


def uncut(db: sqlite3.Connection, many: int) -> tuple[int, tuple[Long, ...]] | None:
    """Return older events whose payloads are still whole, and from which number on none is left.

    None where all are cut.
    """
    row = db.execute("SELECT value FROM meta WHERE key = 'payloads_to_cut'").fetchone()
    if row is None:
        return None
    found, size, last = [], 0, 0
    sql = "SELECT id, payload, payload_sha256 FROM events WHERE id <= ? ORDER BY id DESC LIMIT ?"
    for number, payload, digest in db.execute(sql, (int(row[0]), many)):
        last, size = number, size + len(payload)
        if len(payload) > MAX_EXCERPT_CHARS:
            found.append(Long(number, payload, digest))
        if size > _LARGEST:
            break
    return last, tuple(found)


def cut(found: Iterable[Long]) -> tuple[tuple[int, Record], ...]:
    """Return what is to be kept of these payloads: work for a thread."""
    return tuple((one.id, kept) for one in found if (kept := _cut(one)) is not None)


def _cut(one: Long) -> Record | None:
    try:
        return excerpt_record(Record(one.payload, one.sha256))
    except ValueError:  # edited manually
        return None


def keep_cut(db: sqlite3.Connection, last: int, kept: Iterable[tuple[int, Record]]) -> None:
    """Replace payloads by their beginnings, and note that all from `last` on are cut."""
    for number, one in kept:
        known = db.execute(
            "UPDATE events SET payload = ?, payload_sha256 = ? WHERE id = ?",
            (one.text, one.sha256, number),
        ).rowcount
        if known and one.body:
            row = (number, one.size, one.body)
            db.execute("INSERT OR IGNORE INTO bodies (event_id, size, zlib) VALUES (?, ?, ?)", row)
    if last > 1:
        db.execute("UPDATE meta SET value = ? WHERE key = 'payloads_to_cut'", (str(last - 1),))
    else:
        db.execute("DELETE FROM meta WHERE key = 'payloads_to_cut'")


def sizes(db: sqlite3.Connection, path: Path, seconds: float = 10.0) -> dict[str, object]:
    """Return how much room everything takes; tables that take too long to count are None."""
    found = space(db, path)
    bodies = "SELECT count(*), coalesce(sum(size), 0), coalesce(sum(length(zlib)), 0) FROM bodies"
    with limited(db, seconds):
        tables = {name: _count(db, name) for name in _tables(db)}
        count, whole, kept = _first(db, bodies) or (None, None, None)
    (left,) = _first(db, "SELECT value FROM meta WHERE key = 'payloads_to_cut'") or (None,)
    (since,) = _first(db, "SELECT at FROM events ORDER BY at LIMIT 1") or (None,)
    return {
        "bytes": found.file,
        "free": found.free,
        "log": found.log,
        "gives_back": found.gives_back,
        "tables": tables,
        "bodies": {"count": count, "characters": whole, "bytes": kept},
        "oldest": since,
        "to_cut": int(left) if left else 0,
    }


def compacted(path: Path) -> tuple[int, int]:
    """Compact the database; return its size before and after. Raise OSError without room."""
    if not has_room(path):
        raise OSError(errno.ENOSPC, "it takes twice the room of the database", str(path))
    before = path.stat().st_size
    compact(path)
    return before, path.stat().st_size


def _tables(db: sqlite3.Connection) -> list[str]:
    sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    return [name for (name,) in db.execute(sql)]


def _count(db: sqlite3.Connection, table: str) -> int | None:
    # The names are those of the schema itself.
    row = _first(db, f"SELECT count(*) FROM {table}")  # noqa: S608
    return row[0] if row else None


def _first(db: sqlite3.Connection, sql: str) -> Any:
    """Return the first row, None where there is none, or where it took too long."""
    try:
        return db.execute(sql).fetchone()
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_INTERRUPT:
            raise
        return None


@contextmanager
def limited(db: sqlite3.Connection, seconds: float) -> Iterator[None]:
    """Let statements run for so long together, then interrupt each: the log grows meanwhile."""
    end = monotonic() + seconds
    db.set_progress_handler(lambda: int(monotonic() > end), _STEPS)
    try:
        yield
    finally:
        db.set_progress_handler(None, 0)
