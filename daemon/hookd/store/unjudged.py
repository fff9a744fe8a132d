"""The home of the rows about what no daemon judged."""

import sqlite3
from collections.abc import Iterable

from hookd.core.evaluation.unjudged import Missed
from hookd.redaction.redact import redact

TELL = "UPDATE unjudged SET told_at = ?, told_by = ? WHERE told_at IS NULL"
"""The user is told of all that is there, by an event's answer."""

TELL_AGAIN = "UPDATE unjudged SET told_at = NULL, told_by = NULL WHERE told_by = ?"
"""The answer to this event did not arrive."""

_KEEP = (
    "INSERT OR IGNORE INTO unjudged"
    " (event, reason, count, more, first_at, last_at, source, kept_at)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
)


def keep(db: sqlite3.Connection, source: str, missed: Iterable[Missed], at: str) -> None:
    """Keep what the shims left in `source`; what was kept from there before is not kept twice."""
    for one in missed:
        args = (one.event, redact(one.reason), one.count, one.more, one.first, one.last, source, at)
        db.execute(_KEEP, args)


def untold(db: sqlite3.Connection) -> tuple[Missed, ...]:
    """Return what the user was not told of yet."""
    rows = db.execute(
        "SELECT event, reason, count, first_at, last_at, more FROM unjudged"
        " WHERE told_at IS NULL ORDER BY id"
    )
    return tuple(
        Missed(event, reason, count, first, last, bool(more))
        for event, reason, count, first, last, more in rows
    )
