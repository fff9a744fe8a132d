"""List the hosts of a tenant: one row each, which shipping keeps up to date; no event is read."""

from datetime import UTC, datetime
from typing import Any

from psycopg import Connection
from psycopg.rows import dict_row

COLUMNS = """\
host, CASE WHEN removed_at IS NOT NULL THEN 'removed' WHEN left_at IS NOT NULL THEN 'left'
    WHEN joined_at IS NULL THEN 'invited' WHEN last_seen < now() - interval '2 minutes' THEN 'away'
    ELSE 'here' END AS state,
  open_sessions AS "openSessions", attention, mode, version, accepts,
  CASE WHEN counted_on = (now() AT TIME ZONE 'UTC')::date THEN events_today ELSE 0 END
    AS "eventsToday",
  CASE WHEN counted_on = (now() AT TIME ZONE 'UTC')::date THEN denied_today ELSE 0 END
    AS "deniedToday",
  clock_offset_ms AS "clockOffsetMs", last_seen AS "lastSeen", joined_at AS "joinedAt",
  left_at AS "leftAt", removed_at AS "removedAt"
"""
HOSTS = f"SELECT {COLUMNS} FROM hookd.hosts WHERE tenant = %s ORDER BY host LIMIT %s"  # noqa: S608
_TIMES = ("lastSeen", "joinedAt", "leftAt", "removedAt")


def hosts(connection: Connection[Any], tenant: str, limit: int) -> list[dict[str, Any]]:
    """Return at most `limit` hosts by name, with times as text in UTC."""
    with connection.cursor(row_factory=dict_row) as cursor:
        rows = cursor.execute(HOSTS, [tenant, limit]).fetchall()
    return list(map(as_text, rows))


def as_text(row: dict[str, Any]) -> dict[str, Any]:
    """Return a host with its times as text in UTC."""
    return row | {key: utc_text(row[key]) for key in _TIMES}


def utc_text(moment: datetime | None) -> str | None:
    """Return a time as hookd writes it: UTC, in milliseconds."""
    if moment is None:
        return None
    text: str = moment.astimezone(UTC).isoformat(timespec="milliseconds")
    return text.replace("+00:00", "Z")
