"""The exchange of claims with a real PostgreSQL: what the store does not keep stays local."""

import logging
import uuid
from pathlib import Path
from typing import Any

import pytest

from hookd.central.claims import StoredClaim, read
from hookd.central.connection import connect_async
from hookd.core.fleet.repositories import repository_key
from hookd.fleet_sync.outgoing import Signer
from hookd.fleet_sync.peer_claims import PeerClaims
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


async def call(_method: str, _params: Any) -> None:
    """Take what the daemon would."""


async def test_a_claim_that_stays_local_is_logged_once_and_does_not_stop_the_others(
    central: Store, root: str, caplog: pytest.LogCaptureFixture
) -> None:
    tenant = f"t{uuid.uuid4().hex[:12]}"
    central.add_tenant(tenant)
    login = central.add_host(tenant, "alpha")
    signer = Signer(tenant, "alpha", EPOCH, central.host_keys[tenant, "alpha"])
    claims = PeerClaims(signer, call)
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
