"""Claims in the store last by its clock, have a limit, and wait for no host that holds a lock."""

import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

import pytest

from hookd.central.claims import SignedClaim, StoredClaim, decide, read
from hookd.central.connection import connect_async
from hookd.central.errors import BusyError, RejectedError, TooManyError
from hookd.central.items import HostConnection
from hookd.core.fleet.claim_conflicts import FleetClaim
from support.central import Store

LEASE = timedelta(hours=1)


@asynccontextmanager
async def two(central: Store) -> AsyncIterator[tuple[HostConnection, HostConnection, str]]:
    """Connections of alpha and beta, and the name of their tenant."""
    tenant = f"t{uuid.uuid4().hex[:12]}"
    central.add_tenant(tenant)
    one, other = (central.add_host(tenant, name) for name in ("alpha", "beta"))
    async with (
        await connect_async(central.address(one), one.password) as alpha,
        await connect_async(central.address(other), other.password) as beta,
    ):
        yield alpha, beta, tenant


def claim(host: str, number: int = 1, pattern: str = "src/") -> FleetClaim:
    return FleetClaim(host, number, "r", "path", pattern, "ann")


async def claims(
    connection: HostConnection, *wanted: FleetClaim, lasts: timedelta = LEASE, host: str = "alpha"
) -> tuple[list[StoredClaim], dict[int, FleetClaim]]:
    own = {one.claim: one for one in wanted}
    return await decide(connection, host, "r", own, lambda one: SignedClaim(one, lasts, "{}", "s"))


async def test_a_claim_lasts_by_the_clock_of_the_store_and_an_hour_at_most(central: Store) -> None:
    async with two(central) as (alpha, beta, _):
        await claims(alpha, claim("alpha"), lasts=timedelta(days=9))
        ((stored,),) = (await read(beta, ["r"])).values()
        assert LEASE - timedelta(minutes=1) < stored.left <= LEASE
        await alpha.execute("UPDATE hookd.claims SET expires_at = 'infinity'")
        ((stored,),) = (await read(beta, ["r"])).values()
        assert stored.left <= LEASE
        _, lost = await claims(beta, claim("beta"), host="beta")
        assert lost == {1: claim("alpha")}
        await claims(alpha)
        assert await claims(beta, claim("beta"), host="beta") == ([], {})


async def test_a_claim_that_the_store_cannot_keep_is_rejected(central: Store) -> None:
    async with two(central) as (alpha, _, _):
        for pattern in ("a\0b", "x" * 1_001):
            with pytest.raises(RejectedError):
                await claims(alpha, claim("alpha", pattern=pattern))
        assert await claims(alpha, claim("alpha")) == ([], {})


async def test_a_host_has_a_thousand_claims_at_most(central: Store) -> None:
    async with two(central) as (alpha, beta, tenant):
        await alpha.execute(
            "INSERT INTO hookd.claims (tenant, repository, pattern, host, claim)"
            " SELECT %s, 'other', n::text, 'alpha', n FROM generate_series(1, 1000) n",
            [tenant],
        )
        with pytest.raises(TooManyError, match="1000 claims"):
            await claims(alpha, claim("alpha"))
        assert await claims(beta, claim("beta"), host="beta") == ([], {})


async def test_a_host_that_holds_the_lock_of_a_repository_is_not_waited_for(
    central: Store,
) -> None:
    limit = "ALTER FUNCTION hookd.lock_claims_1 SET lock_timeout = '{}'"
    async with two(central) as (alpha, beta, _):
        central.admin.execute(limit.format("50ms").encode())
        async with alpha.transaction():
            await alpha.execute("SELECT hookd.lock_claims_1('r')")
            with pytest.raises(BusyError):
                await claims(beta, claim("beta"), host="beta")
        central.admin.execute(limit.format("10s").encode())
        assert await claims(beta, claim("beta"), host="beta") == ([], {})
