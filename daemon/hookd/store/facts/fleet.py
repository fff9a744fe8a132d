"""Facts about the fleet of many hosts: the membership, and how much waits in the outbox."""

import json
import sqlite3

from hookd.core.model.membership import Membership
from hookd.store.facts.rows import one

_MEMBERSHIP = (
    "SELECT tenant, host, mode, accept_json, epoch, keys_json, shipped, leaving,"
    " shipped_events, rules_version, contact_at, problem, items_after, joined_at, seen_at"
    " FROM fleet_membership"
)


def membership(db: sqlite3.Connection) -> Membership | None:
    """Return the membership; None if this host is in no fleet."""
    row = one(db, _MEMBERSHIP)
    if row is None:
        return None
    tenant, host, mode, accept, epoch, keys, shipped, leaving, *more = row
    return Membership(
        tenant,
        host,
        mode,
        tuple(json.loads(accept)),
        epoch,
        tuple(json.loads(keys)),
        shipped,
        bool(leaving),
        *more,
    )


def known_items(db: sqlite3.Connection, ids: tuple[str, ...]) -> tuple[str, ...]:
    """Return those of these ids whose items were accepted."""
    sql = (
        "SELECT id FROM fleet_items WHERE outcome = 'accepted'"
        " AND id IN (SELECT value FROM json_each(?))"
    )
    return tuple(str(row[0]) for row in db.execute(sql, (json.dumps(ids),)))


def waiting(db: sqlite3.Connection) -> int:
    """Return how many rows and events wait, refused ones too."""
    row = one(db, "SELECT waiting + rejected FROM fleet_member")
    return int(row[0]) if row else 0
