"""Health of the database: its size, its events, what was missed, and what is not yet counted."""

from pathlib import Path
from sqlite3 import Connection

from hookd.lazy_dataclass import dataclass
from hookd.store.browse.page import Rows
from hookd.store.space import log_bytes

_COUNTS = (
    "SELECT (SELECT min(id) FROM events) AS first, (SELECT max(id) FROM events) AS last,"
    " (SELECT min(at) FROM events) AS oldest,"
    " (SELECT at FROM events WHERE id = (SELECT max(id) FROM events)) AS newest,"
    " (SELECT count(*) FROM sessions) AS sessions,"
    " (SELECT count(*) FROM sessions WHERE ended_at IS NULL) AS open,"
    " (SELECT count(*) FROM counting WHERE state = 'damaged') AS damaged,"
    " coalesce((SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'events_counted'), 0)"
    "  AS counted"
)
_MISSED = (
    "SELECT event, reason, count, more, first_at AS firstAt, last_at AS lastAt, told_at AS toldAt"
    " FROM unjudged ORDER BY last_at DESC LIMIT 100"
)


@dataclass(frozen=True, slots=True)
class Health:
    """Bytes of the file, of its free pages and of its log; events by number and time.

    `events` is the span of their numbers, of which some may be deleted. `uncounted` are events that
    statistics do not have yet, `damaged` those that cannot be counted. `missed` are events without
    a verdict by the daemon, the last first.
    """

    file: int
    free: int
    log: int
    events: int
    oldest: str | None
    newest: str | None
    sessions: int
    open: int
    uncounted: int
    damaged: int
    missed: Rows


def health(db: Connection, path: Path) -> Health:
    """Return the health of the database at `path`, of which `db` is a connection."""
    pages, free, each = (
        next(iter(db.execute(f"PRAGMA {name}").fetchone().values()))
        for name in ("page_count", "freelist_count", "page_size")
    )
    row = db.execute(_COUNTS).fetchone()
    last = row["last"] or 0
    return Health(
        file=pages * each,
        free=free * each,
        log=log_bytes(path),
        events=last - row["first"] + 1 if row["first"] else 0,
        oldest=row["oldest"],
        newest=row["newest"],
        sessions=row["sessions"],
        open=row["open"],
        uncounted=max(0, last - row["counted"]),
        damaged=row["damaged"],
        missed=db.execute(_MISSED).fetchall(),
    )
