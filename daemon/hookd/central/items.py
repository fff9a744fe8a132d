"""Signed items in the central store: read in the order of their commits, published by the fleet.

An item of a transaction that is still open may get a lower number than those that are read, so only
items below all open transactions are read. None is skipped.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from psycopg import AsyncConnection, Connection, sql

from hookd.central.errors import CentralError
from hookd.central.shipping import translated_errors
from hookd.lazy_dataclass import dataclass

_START = "0/00000000-0000-0000-0000-000000000000"
_FETCH = (
    "SELECT xid::text, id::text, kind, sender, recipient, body, signature, created_at, expires_at"
    " FROM hookd.items WHERE tenant = (SELECT hookd.current_tenant())"
    " AND (xid, id) > (%s::xid8, %s::uuid) AND xid < pg_snapshot_xmin(pg_current_snapshot())"
    " AND kind = ANY (%s) AND sender IS DISTINCT FROM (SELECT hookd.current_host())"
    " ORDER BY xid, id LIMIT %s"
)
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
    xid, _, number = (after or _START).partition("/")
    async with translated_errors(connection):
        cursor = await connection.execute(_FETCH, [xid, number, list(kinds), limit])
        rows = await cursor.fetchall()
    return [_stored(tenant, row) for row in rows]


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
    try:
        content = json.loads(body)
    except ValueError:
        content = None  # the daemon refuses it
    item = {
        "v": 1,
        "id": number,
        "kind": kind,
        "tenant": tenant,
        "sender": sender,
        "recipient": recipient,
        "created_at": created_at,
        "expires_at": expires_at,
        "body": content,
    }
    return StoredItem(f"{xid}/{number}", item, signature)


def publish(
    connection: Connection[Any], item: dict[str, Any], body: str, key_id: str, signature: str
) -> None:
    """Store an item of the fleet itself, as the administrator. `body` is its JSON as signed."""
    with connection.transaction():
        connection.execute("SET LOCAL ROLE hookd_owner")
        _publish(connection, item, body, key_id, signature)
        connection.execute("RESET ROLE")


def _publish(
    connection: Connection[Any], item: dict[str, Any], body: str, key_id: str, signature: str
) -> None:
    times = (item["created_at"], item["expires_at"])
    place = (item["tenant"], item["id"], item["kind"], item["recipient"])
    connection.execute(_PUBLISH, [*place, body, key_id, signature, *times])


def last_rules(connection: Connection[Any], tenant: str) -> dict[str, Any] | None:
    """Return the body of the newest rules of a fleet, None without any."""
    with connection.transaction():
        connection.execute("SET LOCAL ROLE hookd_owner")
        row = connection.execute(_LAST_RULES, [tenant]).fetchone()
        connection.execute("RESET ROLE")
    return json.loads(row[0]) if row else None


@dataclass(frozen=True, slots=True)
class SignedItem:
    """An item of the fleet with the JSON of its body, the name of its key, and its signature."""

    item: dict[str, Any]
    body: str
    key_id: str
    signature: str


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

    `keys` are the old and the new one. Raise CentralError if another rotation was first, or a host
    was added meanwhile: nothing is changed then.
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
        for host, mark in certificates.items():
            connection.execute(_RENEW, [mark, tenant, host])
        for one in items:
            _publish(connection, one.item, one.body, one.key_id, one.signature)
        connection.execute("RESET ROLE")
