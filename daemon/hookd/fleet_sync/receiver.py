"""Receiver: fetches signed items, and exchanges claims, when the store says so or time has passed.

It has a connection of its own, which listens. Where no notification gets through, it polls, at
times that differ from host to host.
"""

import asyncio
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from hookd.central.connection import connect_async
from hookd.central.errors import CentralError
from hookd.central.items import (
    HostConnection,
    StoredItem,
    fetch,
    host_keys,
    listen,
    new_keys,
    release,
    woken,
)
from hookd.core.fleet.items import ACCEPT_OF
from hookd.core.model.facts import iso
from hookd.core.model.membership import Membership
from hookd.fleet_sync.clock import utc_now
from hookd.fleet_sync.outgoing import Signer
from hookd.fleet_sync.peer_claims import Call, PeerClaims
from hookd.json_text import dump
from hookd.lazy_dataclass import dataclass
from hookd.log.logger import LOG
from hookd.socket_client.errors import SocketError
from hookd.store.database import StoreError
from hookd.store.outbox import Outbox

_PER_FETCH = 50

_MAX_CALL = 4_000_000
"""Bytes of the items of one call of the daemon, unless one alone has more; it takes 16 MiB."""

_LOOK_S = 0.5
"""Seconds between two looks at the claims of this host."""

_CALM_S = 1.0
"""Seconds between two fetches, however often the store notifies: any login of it can."""

_BACK_OFF_S = (1.0, 60.0)


@dataclass(frozen=True)
class Receiver:
    """What comes down to this host. `address` and `password` are those of the central store.

    `poll_s` are the least and the most seconds between two fetches without a notification, chosen
    each time. `listens` is False where no notification gets through, as with some poolers.
    """

    address: Mapping[str, str]
    password: str
    signer: Signer
    database: Path
    call: Call
    poll_s: tuple[float, float] = (15.0, 45.0)
    listens: bool = True

    async def session(self) -> None:
        """Receive over one connection until it fails, or this host accepts nothing any more."""
        async with await connect_async(self.address, self.password) as connection:
            await self._listen(connection)

    def wanted(self) -> bool:
        """Return whether this host accepts anything."""
        with closing(Outbox(self.database)) as outbox:
            return _accepts(outbox.membership())

    async def once(self) -> None:
        """Fetch everything that waits, and exchange claims, once. Raise CentralError."""
        async with await connect_async(self.address, self.password) as connection:
            with closing(Outbox(self.database)) as outbox:
                member = outbox.membership()
                if member is not None and _accepts(member):
                    await self._items(connection, member)
                    claims = PeerClaims(self.signer, self.call)
                    await self._claims(connection, outbox, member, claims)

    async def _listen(self, connection: HostConnection) -> None:
        if self.listens:
            await listen(connection)
        claims, seen = PeerClaims(self.signer, self.call), None
        loop, due, last = asyncio.get_running_loop(), 0.0, 0.0
        with closing(Outbox(self.database)) as outbox:
            while (member := outbox.membership()) is not None and _accepts(member):
                own = self._own(outbox, member)
                if loop.time() >= due or own != seen:
                    last = loop.time()
                    await self._items(connection, member)
                    await self._claims(connection, outbox, member, claims)
                    seen = self._own(outbox, member)
                    due = loop.time() + random.uniform(*self.poll_s)  # noqa: S311 - jitter
                if await woken(connection, _LOOK_S):
                    due = min(due, last + _CALM_S)
                    await asyncio.sleep(max(0.0, min(due - loop.time(), _LOOK_S)))

    def _own(self, outbox: Outbox, member: Membership) -> Any:
        if "claims" not in member.accept:
            return None
        return outbox.open_claims(iso(utc_now()))

    async def _items(self, connection: HostConnection, member: Membership) -> None:
        """Fetch items until there is none, each batch with the cursor after it."""
        kinds = [kind for kind, accepted in ACCEPT_OF.items() if accepted in member.accept]
        if not kinds:
            return
        kinds = [*(kind for kind in kinds if kind != "claim"), "key"]
        after = member.items_after
        await release(connection)
        while found := await fetch(connection, member.tenant, after, kinds, _PER_FETCH):
            senders = {one.item["sender"] for one in found if one.item["sender"]}
            hosts = await host_keys(connection, senders)
            # After the certificates, which may be of a key that is among the items to come.
            keys = await new_keys(connection, member.tenant, after, _PER_FETCH)
            for part in in_parts(found, _MAX_CALL):
                items = [{"item": one.item, "signature": one.signature} for one in (*keys, *part)]
                params = {"items": items, "hosts": hosts, "after": part[-1].cursor}
                await self.call("fleet.received", params)
            after = found[-1].cursor

    async def _claims(
        self,
        connection: HostConnection,
        outbox: Outbox,
        member: Membership,
        claims: PeerClaims,
    ) -> None:
        if "claims" not in member.accept:
            return
        own = outbox.open_claims(iso(utc_now()))
        await claims.exchange(connection, own, outbox.repository_roots())


def in_parts(items: Sequence[StoredItem], most: int) -> Iterator[list[StoredItem]]:
    """Yield items in lists of at most so many bytes; one with more is alone."""
    part: list[StoredItem] = []
    size = 0
    for one in items:
        length = len(dump(one.item))
        if part and size + length > most:
            yield part
            part, size = [], 0
        part.append(one)
        size += length
    if part:
        yield part


async def follow(make: Callable[[], Receiver]) -> None:
    """Receive until cancelled; connect again after each failure. `make` reads the credential."""
    wait = _BACK_OFF_S[0]
    while True:
        try:
            receiver = make()
            if receiver.wanted():
                await receiver.session()
            wait = _BACK_OFF_S[0]
        except (CentralError, SocketError, StoreError) as error:
            LOG.info("nothing can be received now", extra={"about": {"why": str(error)}})
            wait = min(2 * wait, _BACK_OFF_S[1])
        except Exception:  # noqa: BLE001 - a later attempt may succeed
            LOG.exception("receiving from the central store failed")
            wait = _BACK_OFF_S[1]
        await asyncio.sleep(wait * random.uniform(0.5, 1.5))  # noqa: S311 - jitter


def _accepts(member: Membership | None) -> bool:
    return member is not None and bool(member.accept) and not member.leaving
