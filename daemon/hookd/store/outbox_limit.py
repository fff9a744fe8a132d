"""Limit of the outbox: the oldest events are dropped, and counted, when too many rows wait."""

import sqlite3

_RANGE = "SELECT coalesce(max(seq) - min(seq) + 1, 0) FROM outbox"
# The range has gaps: it is counted only where it is larger than the limit.
_COUNT = "SELECT count(*) FROM outbox"
_DROP = (
    "DELETE FROM outbox WHERE seq IN (SELECT seq FROM outbox WHERE kind = 'event'"
    " ORDER BY seq LIMIT ?)"
)
_NOTE = "UPDATE fleet_membership SET dropped = dropped + ?"


def excess(db: sqlite3.Connection, most: int) -> int:
    """Return how many rows wait beyond the limit."""
    if db.execute(_RANGE).fetchone()[0] <= most:
        return 0
    return max(0, int(db.execute(_COUNT).fetchone()[0]) - most)


def drop_oldest(db: sqlite3.Connection, rows: int) -> int:
    """Drop so many events, the oldest, and count them for the membership; return how many."""
    dropped = max(0, db.execute(_DROP, (rows,)).rowcount)
    db.execute(_NOTE, (dropped,))
    return dropped
