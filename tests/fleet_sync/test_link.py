"""The link to the central store: a network that drops everything is noticed, and left."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from uuid import uuid4

import pytest

from hookd.central.connection import connect_async
from hookd.central.errors import UnreachableError
from hookd.central.shipping import translated_errors
from hookd.core.fleet.credential import Credential
from hookd.fleet_sync import link
from hookd.fleet_sync.store import Beat
from support.central import Store, event
from support.fleet_host import credential_of

BEAT = Beat("decisions", (), "[]")
EPOCH = "6a0ff3a4-8d3c-4d84-9a0e-2a5f7f7f0009"


class Network:
    """A proxy that forwards bytes, or drops them in both directions and keeps connections open."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.drops = False
        self._ends: list[asyncio.Event] = []

    async def ended(self) -> None:
        """Wait until all connections have ended."""
        for end in self._ends:
            await end.wait()

    async def serve(self, near: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        self._ends.append(end := asyncio.Event())
        far, forth = await asyncio.open_connection("127.0.0.1", self._port)
        async with asyncio.TaskGroup() as group:
            group.create_task(self._pass(near, forth))
            group.create_task(self._pass(far, back))
        for writer in (forth, back):
            with suppress(OSError):
                await writer.wait_closed()
        end.set()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while chunk := await reader.read(65_536):
                if not self.drops:
                    writer.write(chunk)
                    await writer.drain()
        writer.close()


@asynccontextmanager
async def through(central: Store) -> AsyncIterator[tuple[Network, Credential, str]]:
    """A network to the store, and the credential of a host that uses it."""
    tenant = f"t{uuid4().hex[:12]}"
    central.add_tenant(tenant)
    given = credential_of(central, tenant, "ann", central.add_host(tenant, "ann"))
    network = Network(central.cluster.port)
    server = await asyncio.start_server(network.serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    address = {**given.server, "port": str(port)}
    names = {name: getattr(given, name) for name in given.__dataclass_fields__}
    yield network, Credential(**(names | {"server": address})), tenant
    server.close()
    async with asyncio.timeout(30):
        await network.ended()


async def test_a_network_that_drops_everything_ends_the_connection(central: Store) -> None:
    async with through(central) as (network, given, tenant):
        one = await link.connect(given, lambda: datetime.now(UTC), answer_s=0.5)
        assert await one.hello(EPOCH, BEAT) == {"changes": 0, "events": 0}
        network.drops = True
        async with asyncio.timeout(30):
            with pytest.raises(UnreachableError):
                await one.ship(EPOCH, "events", event(1))
        await one.close()
        network.drops = False
        again = await link.connect(given, lambda: datetime.now(UTC))
        await again.hello(EPOCH, BEAT)
        assert await again.ship(EPOCH, "events", event(1)) == 1
        await again.close()
        counted = f"SELECT count(*) FROM hookd.events WHERE tenant = '{tenant}'"
        assert central.rows(counted) == [(1,)]


async def test_a_connection_that_is_lost_within_a_transaction_blocks_no_other(
    central: Store,
) -> None:
    tenant = f"t{uuid4().hex[:12]}"
    central.add_tenant(tenant)
    given = credential_of(central, tenant, "ann", central.add_host(tenant, "ann"))
    short = f"ALTER ROLE {given.role} SET idle_in_transaction_session_timeout = '500ms'"
    central.admin.execute(short.encode())
    lost = await connect_async(given.address, given.password)
    # It never ends, as the server sees it: the end of a connection is lost with the network.
    await lost.execute("BEGIN")
    await lost.execute("SELECT hookd.hello_1(%s, '{}')", [EPOCH])
    async with asyncio.timeout(30):
        one = await link.connect(given, lambda: datetime.now(UTC))
        assert await one.ship(EPOCH, "events", event(1)) == 1
    await one.close()
    with pytest.raises(UnreachableError):
        async with translated_errors(lost):
            await lost.execute("COMMIT")
    await lost.close()


async def test_the_server_finds_out_that_a_host_is_gone(central: Store) -> None:
    tenant = f"t{uuid4().hex[:12]}"
    central.add_tenant(tenant)
    login = central.add_host(tenant, "ann")
    async with await connect_async(central.address(login), login.password) as one:
        found = await one.execute(
            "SELECT current_setting('tcp_keepalives_idle'), current_setting('tcp_user_timeout'),"
            " current_setting('idle_in_transaction_session_timeout')"
        )
        assert await found.fetchone() == ("30", "30000", "1min")
