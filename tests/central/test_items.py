"""Items in the order of their commits: none is skipped, and no login keeps them from the others."""

import asyncio
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import psycopg
import pytest

from hookd.central import logins
from hookd.central.connection import connect_async
from hookd.central.items import HostConnection, fetch, new_keys, release
from support.central import Store

ZERO = "00000000-0000-0000-0000-000000000000"


@asynccontextmanager
async def fleet(central: Store) -> AsyncIterator[tuple[HostConnection, logins.Login, str]]:
    """A connection of beta, the login of alpha, and the name of their tenant."""
    tenant = f"t{uuid.uuid4().hex[:12]}"
    central.add_tenant(tenant)
    alpha, beta = (central.add_host(tenant, name) for name in ("alpha", "beta"))
    async with await connect_async(central.address(beta), beta.password) as connection:
        yield connection, alpha, tenant


def add(connection: psycopg.Connection[Any], tenant: str, kind: str = "mail") -> str:
    """Add an item of alpha, or of the fleet; return its id."""
    number = str(uuid.uuid4())
    sender, recipient = ("alpha", "beta") if kind == "mail" else (None, None)
    connection.execute(
        "INSERT INTO hookd.items (tenant, id, kind, sender, recipient, body, key_id, signature,"
        " created_at) VALUES (%s, %s, %s, %s, %s, '{}', 'k', 's', 'now')",
        [tenant, number, kind, sender, recipient],
    )
    return number


async def ids(beta: HostConnection, tenant: str, after: str | None = None) -> list[str]:
    found = await fetch(beta, tenant, after, ["mail", "key"], 100)
    return [one.item["id"] for one in found]


async def test_an_item_of_an_open_transaction_is_not_skipped(central: Store) -> None:
    async with fleet(central) as (beta, alpha, tenant):
        with central.login(alpha) as slow:
            with slow.transaction():
                first = add(slow, tenant)
                second = add(central.admin, tenant, "key")
                assert await ids(beta, tenant) == []
            assert await ids(beta, tenant) == [first, second]


async def test_items_follow_one_another_where_the_number_of_a_transaction_gets_longer(
    central: Store,
) -> None:
    async with fleet(central) as (beta, _, tenant):
        later, earlier = (add(central.admin, tenant, "key") for _ in range(2))
        for number, item in (("100", later), ("99", earlier)):
            sql = "UPDATE hookd.items SET xid = %s::text::xid8 WHERE id = %s"
            central.admin.execute(sql, [number, item])
        assert await ids(beta, tenant) == [earlier, later]
        (first,) = await fetch(beta, tenant, None, ["key"], 1)
        assert await ids(beta, tenant, first.cursor) == [later]


async def test_a_new_key_is_read_above_open_transactions(central: Store) -> None:
    async with fleet(central) as (beta, alpha, tenant):
        with central.login(alpha) as idle, idle.transaction():
            idle.execute("SELECT pg_current_xact_id()")
            key = add(central.admin, tenant, "key")
            assert [one.item["id"] for one in await new_keys(beta, tenant, None, 9)] == [key]


async def test_after_a_restore_items_are_read_though_numbers_are_lower(central: Store) -> None:
    async with fleet(central) as (beta, _, tenant):
        number = add(central.admin, tenant, "key")
        assert await ids(beta, tenant, f"999999999/{ZERO}") == [number]
        assert await ids(beta, tenant, f"{2**63}/{ZERO}") == [number]


async def test_a_login_that_holds_back_items_is_ended(central: Store) -> None:
    async with fleet(central) as (beta, alpha, tenant):
        with central.login(alpha) as idle, suppress(psycopg.OperationalError):
            idle.execute("SET idle_in_transaction_session_timeout = 0")  # as an attacker would
            idle.execute("BEGIN")
            idle.execute("SELECT pg_current_xact_id()")
            number = add(central.admin, tenant, "key")
            waiting = "SELECT hookd.release_items_1()"
            assert await one(beta, waiting) is None, "not for a minute yet"
            central.admin.execute("UPDATE hookd.items SET received_at = now() - interval '2 min'")
            assert await one(beta, waiting) == 0, "not for five minutes yet"
            await release(beta)
            assert await ids(beta, tenant) == []
            assert central.rows("SELECT hookd.end_stale('0')") == [(1,)]
            async with asyncio.timeout(30):
                while await ids(beta, tenant) != [number]:  # noqa: ASYNC110 - a process ends
                    await asyncio.sleep(0.01)
            idle.execute("SELECT 1")
            pytest.fail("the connection is open")


async def test_a_login_that_holds_an_advisory_lock_is_ended(central: Store) -> None:
    """A store of an administrator who is no superuser cannot keep logins from such locks."""
    async with fleet(central) as (_, alpha, _tenant):
        name = "pg_advisory_lock(bigint)"
        central.admin.execute(f"GRANT EXECUTE ON FUNCTION {name} TO hookd_host".encode())
        try:
            with central.login(alpha) as idle:
                idle.execute("SELECT pg_advisory_lock(5)")
                assert central.rows("SELECT hookd.end_stale('1 hour')") == [(1,)]
        finally:
            central.admin.execute(f"REVOKE EXECUTE ON FUNCTION {name} FROM hookd_host".encode())


async def one(beta: HostConnection, query: str) -> Any:
    cursor = await beta.execute(query.encode())
    row = await cursor.fetchone()
    return row[0] if row else None
