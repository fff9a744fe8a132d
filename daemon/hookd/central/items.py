"""Signed items in the central store: read in the order of their commits, published by the fleet.

An item of a transaction that is still open may get a lower number than those that are read, so only
items below all open transactions are read. None is skipped.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

from psycopg import AsyncConnection, Connection, sql

from hookd import json_text
from hookd.central.errors import CentralError
from hookd.central.shipping import translated_errors
from hookd.lazy_dataclass import dataclass

_START = "0/00000000-0000-0000-0000-000000000000"
_FETCH = (
    "SELECT xid::text, id::text, kind, sender, recipient, body, signature, created_at, expires_at"
    " FROM hookd.items WHERE tenant = (SELECT hookd.current_tenant())"
    # A store that was restored may count from a lower number: all is read again, and counts once.
    " AND (xid, id) > (CASE WHEN %(xid)s::xid8 < pg_snapshot_xmax(pg_current_snapshot())"
    " THEN %(xid)s::xid8 ELSE '0' END, %(id)s::uuid)"
    " AND kind = ANY (%(kinds)s) AND sender IS DISTINCT FROM (SELECT hookd.current_host())"
)
_COMPLETE = " AND xid < pg_snapshot_xmin(pg_current_snapshot())"
# By the columns, not by their texts in the result, of which '10' comes before '9'.
_IN_ORDER = " ORDER BY items.xid, items.id LIMIT %(limit)s"
_KEYS = (
    "SELECT host, public_key, certificate FROM hookd.hosts"
    " WHERE tenant = (SELECT hookd.current_tenant()) AND removed_at IS NULL AND host = ANY (%s)"
)
_PUBLISH = (
    "INSERT INTO hookd.items (tenant, id, kind, sender, recipient, body, key_id, signature,"
    " created_at, expires_at) VALUES (%s, %s, %s, NULL, %s, %s, %s, %s, %s, %s)"
)
_LAST_RULES = (
    "SELECT body, recipient FROM hookd.items WHERE tenant = %s AND kind = 'rules'"
    " AND sender IS NULL ORDER BY (body::jsonb->>'version')::bigint DESC LIMIT 1"
)
_IN_FORCE = (
    "(SELECT xid::text, id::text, kind, sender, recipient, body, signature, created_at, expires_at"
    " FROM hookd.items WHERE tenant = %s AND sender IS NULL AND kind = 'rules'"
    " ORDER BY (body::jsonb->>'version')::bigint DESC LIMIT 1) UNION ALL"
    " (SELECT xid::text, id::text, kind, sender, recipient, body, signature, created_at, expires_at"
    " FROM hookd.items WHERE tenant = %s AND sender IS NULL AND kind IN ('pause', 'resume')"
    " AND hookd.as_time(expires_at) > now() ORDER BY created_at DESC LIMIT 1)"
)
_RETIRE = "DELETE FROM hookd.items WHERE tenant = %s AND sender IS NULL AND kind <> 'key'"
_HOSTS = (
    "SELECT host, public_key FROM hookd.hosts WHERE tenant = %s AND removed_at IS NULL FOR UPDATE"
)
_RENEW = "UPDATE hookd.hosts SET certificate = %s WHERE tenant = %s AND host = %s"


HostConnection = AsyncConnection[Any]
"""A connection of a host, as `central.connection.connect_async` returns it."""


@dataclass(frozen=True, slots=True)
class StoredItem:
    """An item as it was signed, with its signature; `cursor` is its place in the order."""

    cursor: str
    item: dict[str, Any]
    signature: str


async def fetch(
    connection: HostConnection,
    tenant: str,
    after: str | None,
    kinds: Sequence[str],
    limit: int,
) -> list[StoredItem]:
    """Return the next items of these kinds for this host, after a cursor. Raise CentralError."""
    query = f"{_FETCH}{_COMPLETE}{_IN_ORDER}"
    return await _fetched(connection, query, tenant, after, kinds=list(kinds), limit=limit)


async def new_keys(
    connection: HostConnection, tenant: str, after: str | None, limit: int
) -> list[StoredItem]:
    """Return the keys of the fleet after a cursor, even above transactions that are still open.

    The certificates of all hosts are those of the last one. Raise CentralError.
    """
    query = f"{_FETCH}{_IN_ORDER}"
    return await _fetched(connection, query, tenant, after, kinds=["key"], limit=limit)


async def _fetched(
    connection: HostConnection, query: str, tenant: str, after: str | None, **values: Any
) -> list[StoredItem]:
    xid, _, number = (after or _START).partition("/")
    async with translated_errors(connection):
        cursor = await connection.execute(query.encode(), {"xid": xid, "id": number, **values})
        rows = await cursor.fetchall()
    return [_stored(tenant, row) for row in rows]


async def release(connection: HostConnection) -> None:
    """End connections of the fleet that keep items from being read. Raise CentralError."""
    async with translated_errors(connection):
        await connection.execute("SELECT hookd.release_items_1()")


async def listen(connection: HostConnection) -> None:
    """Let `woken` return when items come, or claims change. Raise CentralError."""
    async with translated_errors(connection):
        cursor = await connection.execute(
            "SELECT 'hookd_items_' || number FROM hookd.tenants"
            " WHERE tenant = (SELECT hookd.current_tenant())"
        )
        row = await cursor.fetchone()
        if row is not None:
            await connection.execute(sql.SQL("LISTEN {}").format(sql.Identifier(row[0])))


async def woken(connection: HostConnection, seconds: float) -> bool:
    """Wait for a notification, at most so long; return whether one came. Raise CentralError."""
    found = False
    async with translated_errors(connection):
        async for _ in connection.notifies(timeout=seconds, stop_after=1):
            found = True
    return found


async def host_keys(connection: HostConnection, hosts: Iterable[str]) -> dict[str, dict[str, str]]:
    """Return the public keys and certificates of hosts, as the daemon takes them."""
    names = sorted(set(hosts))
    if not names:
        return {}
    async with translated_errors(connection):
        cursor = await connection.execute(_KEYS, [names])
        rows = await cursor.fetchall()
    return {host: {"publicKey": key, "certificate": mark} for host, key, mark in rows}


def _stored(tenant: str, row: Sequence[Any]) -> StoredItem:
    xid, number, kind, sender, recipient, body, signature, created_at, expires_at = row
    item = {
        "v": 1,
        "id": number,
        "kind": kind,
        "tenant": tenant,
        "sender": sender,
        "recipient": recipient,
        "created_at": created_at,
        "expires_at": expires_at,
        "body": parsed(body),
    }
    return StoredItem(f"{xid}/{number}", item, signature)


def parsed(text: str) -> Any:
    """Return the value of a JSON text that a host has written; None if it is none.

    Also for what the daemon could not read: it refuses an item without a body.
    """
    try:
        return json_text.parse(text.encode())
    except ValueError:
        return None


@dataclass(frozen=True, slots=True)
class SignedItem:
    """An item of the fleet with the JSON of its body, the name of its key, and its signature."""

    item: dict[str, Any]
    body: str
    key_id: str
    signature: str


def server_time(connection: Connection[Any]) -> datetime:
    """Return the server's time in UTC, in whole milliseconds, as items have it."""
    row = connection.execute("SELECT date_trunc('milliseconds', clock_timestamp())").fetchone()
    if row is None:
        raise CentralError("The server does not say what time it is.")
    moment: datetime = row[0]
    return moment.astimezone(UTC)


@contextmanager
def rules_lock(connection: Connection[Any], tenant: str) -> Iterator[None]:
    """Let one administrator at a time publish rules of a tenant, in a transaction."""
    with connection.transaction():
        key = f"hookd.rules/{tenant}"
        connection.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 7466100))", [key])
        yield


def publish(connection: Connection[Any], one: SignedItem) -> None:
    """Store an item of the fleet itself, as the administrator."""
    with connection.transaction():
        connection.execute("SET LOCAL ROLE hookd_owner")
        _publish(connection, one)
        connection.execute("RESET ROLE")


def _publish(connection: Connection[Any], one: SignedItem) -> None:
    item = one.item
    times = (item["created_at"], item["expires_at"])
    place = (item["tenant"], item["id"], item["kind"], item["recipient"])
    connection.execute(_PUBLISH, [*place, one.body, one.key_id, one.signature, *times])


def fleet_items_in_force(connection: Connection[Any], tenant: str) -> list[dict[str, Any]]:
    """Return the newest rules, and the newest pause or its end that has not expired."""
    with connection.transaction():
        connection.execute("SET LOCAL ROLE hookd_owner")
        rows = connection.execute(_IN_FORCE, [tenant, tenant]).fetchall()
        connection.execute("RESET ROLE")
    return [_stored(tenant, row).item for row in rows]


def last_rules(connection: Connection[Any], tenant: str) -> dict[str, Any] | None:
    """Return the body of the newest rules of a fleet, None without any."""
    with connection.transaction():
        connection.execute("SET LOCAL ROLE hookd_owner")
        row = connection.execute(_LAST_RULES, [tenant]).fetchone()
        connection.execute("RESET ROLE")
    found: dict[str, Any] | None = json.loads(row[0]) if row else None
    return found


def host_public_keys(connection: Connection[Any], tenant: str) -> dict[str, str]:
    """Return the public key of each host of a fleet."""
    with connection.transaction():
        connection.execute("SET LOCAL ROLE hookd_owner")
        rows = connection.execute(_HOSTS, [tenant]).fetchall()
        connection.execute("RESET ROLE")
    return {str(host): str(key) for host, key in rows}


def rotate(
    connection: Connection[Any],
    tenant: str,
    keys: tuple[str, str],
    certificates: dict[str, str],
    items: Sequence[SignedItem],
) -> None:
    """Replace the fleet's public key, all certificates, and publish items, in one transaction.

    What the old key signed goes, but for the keys, which hosts that were away follow. `keys` are
    the old and the new one. Raise CentralError if another rotation was first, or a host was added
    meanwhile: nothing is changed then.
    """
    old, new = keys
    with connection.transaction():
        connection.execute("SET LOCAL ROLE hookd_owner")
        done = connection.execute(
            "UPDATE hookd.tenants SET fleet_keys = ARRAY[%s] WHERE tenant = %s"
            " AND fleet_keys[1] = %s",
            [new, tenant, old],
        )
        if not done.rowcount:
            raise CentralError(
                f"The key file is not the key of the fleet {tenant}.",
                "use the file of its last key",
            )
        known = {str(row[0]) for row in connection.execute(_HOSTS, [tenant])}
        if known != set(certificates):
            raise CentralError("The hosts of the fleet have changed meanwhile.", "run it again")
        connection.execute(_RETIRE, [tenant])
        for host, mark in certificates.items():
            connection.execute(_RENEW, [mark, tenant, host])
        for one in items:
            _publish(connection, one)
        connection.execute("RESET ROLE")
