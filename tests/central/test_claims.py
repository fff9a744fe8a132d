"""Claims in the store last by its clock, have a limit, and wait for no host that holds a lock."""

import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

import pytest

from hookd.central.claims import Decided, SignedClaim, decide, read
from hookd.central.connection import connect_async
from hookd.central.errors import BusyError
from hookd.central.items import HostConnection
from hookd.core.fleet.claim_conflicts import FleetClaim
from support.central import Store

LEASE = timedelta(hours=1)
GRANTED = Decided([], {}, {})


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
) -> Decided:
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
        decided = await claims(beta, claim("beta"), host="beta")
        assert decided.lost == {1: claim("alpha")}
        await claims(alpha)
        assert await claims(beta, claim("beta"), host="beta") == GRANTED


async def test_a_claim_that_the_store_cannot_keep_stays_local_and_the_others_do_not(
    central: Store,
) -> None:
    patterns = ("a\0b", "src/", "x" * 1_001, "tests/")
    wanted = [claim("alpha", number, one) for number, one in enumerate(patterns)]
    async with two(central) as (alpha, beta, _):
        decided = await claims(alpha, *wanted, claim("alpha", 9, "docs/"))
        assert set(decided.local) == {0, 2}
        assert decided.lost == {}
        decided = await claims(alpha, *wanted)
        assert set(decided.local) == {0, 2}
        assert {one.claim.pattern for one in (await read(beta, ["r"]))["r"]} == {"src/", "tests/"}


async def test_a_host_has_a_thousand_claims_at_most_and_keeps_those_it_has(
    central: Store,
) -> None:
    async with two(central) as (alpha, beta, tenant):
        await alpha.execute(
            "INSERT INTO hookd.claims (tenant, repository, pattern, host, claim, expires_at)"
            " SELECT %s, 'r', 'path:' || n, 'alpha', n, clock_timestamp() + interval '1 minute'"
            " FROM generate_series(1, 1000) n",
            [tenant],
        )
        own = [claim("alpha", number, str(number)) for number in range(1, 1_003)]
        decided = await claims(alpha, *own)
        assert set(decided.local) == {1_001, 1_002}
        assert "1000 claims" in decided.local[1_001]
        stored = (await read(beta, ["r"]))["r"]
        assert len(stored) == 1_000
        assert min(one.left for one in stored) > LEASE / 2
        decided = await claims(alpha, *own[1:])
        assert set(decided.local) == {1_002}
        decided = await claims(beta, claim("beta"), host="beta")
        assert (decided.lost, decided.local) == ({}, {})


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
        assert await claims(beta, claim("beta"), host="beta") == GRANTED
