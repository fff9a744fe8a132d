"""The exchange of claims with a real PostgreSQL: limits of the store and the daemon."""

import logging
import uuid
from pathlib import Path
from typing import Any

import pytest

from hookd.central.claims import StoredClaim, read
from hookd.central.connection import connect_async
from hookd.central.logins import Login
from hookd.core.fleet.repositories import repository_key
from hookd.fleet_sync.outgoing import Signer
from hookd.fleet_sync.peer_claims import PeerClaims
from hookd.methods.fleet.claims import Params
from hookd.store.outbox import OpenClaim
from support.central import EPOCH, Store

URL = "https://x.example/a/b"
KEY = repository_key(URL) or ""


@pytest.fixture
def root(tmp_path: Path) -> str:
    """A repository with a remote."""
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "config").write_text(f'[remote "origin"]\n\turl = {URL}\n')
    return str(tmp_path)


def own(root: str, number: int, pattern: str) -> OpenClaim:
    return OpenClaim(number, root, "path", pattern, "c", 1, "ann", None, None)


async def call(_method: str, params: Any) -> None:
    """Take what the daemon would."""
    Params.model_validate(params)


def alpha(central: Store) -> tuple[str, Login]:
    """Return a new tenant, and the login of its host alpha."""
    tenant = f"t{uuid.uuid4().hex[:12]}"
    central.add_tenant(tenant)
    return tenant, central.add_host(tenant, "alpha")


async def test_a_claim_that_stays_local_is_logged_once_and_does_not_stop_the_others(
    central: Store, root: str, caplog: pytest.LogCaptureFixture
) -> None:
    tenant, login = alpha(central)
    claims = PeerClaims(Signer(tenant, "alpha", EPOCH, central.host_keys[tenant, "alpha"]), call)
    good, bad, more = own(root, 1, "src/"), own(root, 2, "x" * 1_001), own(root, 3, "docs/")

    async with await connect_async(central.address(login), login.password) as connection:

        async def exchanged(*wanted: OpenClaim) -> list[StoredClaim]:
            await claims.exchange(connection, wanted, [root])
            return (await read(connection, [KEY]))[KEY]

        with caplog.at_level(logging.WARNING, "hookd"):
            await exchanged(good, bad)
            (before,) = await exchanged(good, bad)
            (after,) = await exchanged(good, bad)
            assert after.item == before.item, "nothing has changed, so nothing is sent"
            found = await exchanged(bad, more)
        assert [one.claim.claim for one in found] == [3]
    assert caplog.messages == ["the central store does not keep claims"]
    assert caplog.records[0].about["first"] == 2  # type: ignore[attr-defined]


async def test_the_daemon_gets_no_more_claims_of_other_hosts_than_it_takes(
    central: Store, root: str, caplog: pytest.LogCaptureFixture
) -> None:
    tenant, login = alpha(central)
    for name, count in (("beta", 1_000), ("gamma", 1_000), ("delta", 1)):
        central.add_host(tenant, name)
        central.admin.execute(
            "INSERT INTO hookd.claims (tenant, repository, pattern, host, claim, item, expires_at)"
            " SELECT %s, %s, 'path:' || %s || n, %s, n, '{}', 'infinity'"
            " FROM generate_series(1, %s) n",
            [tenant, KEY, name, name, count],
        )
    told: list[Params] = []

    async def call(_method: str, params: Any) -> None:
        told.append(Params.model_validate(params))

    claims = PeerClaims(Signer(tenant, "alpha", EPOCH, central.host_keys[tenant, "alpha"]), call)
    async with await connect_async(central.address(login), login.password) as connection:
        await claims.exchange(connection, [], [root])
    assert [len(one.claims) for one in told] == [2_000]
    assert "other hosts have too many claims" in caplog.messages
