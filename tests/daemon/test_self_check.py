"""The self check leaves the daemon's files alone after a request to stop."""

import asyncio
from contextlib import closing
from pathlib import Path
from socket import socket
from sqlite3 import connect

from hookd.daemon.instance_lock import alone
from hookd.daemon.self_check import SelfCheck
from hookd.daemon.socket_file import SocketFile
from hookd.paths import under
from hookd.store.health import StoreHealth
from support.home import until


async def test_the_name_stays_down_though_the_stop_came_in_the_middle_of_a_look(
    tmp_path: Path,
) -> None:
    places, stopping, health = under(tmp_path), asyncio.Event(), StoreHealth(lambda: "")
    opened: list[socket] = []

    async def listen(listener: socket) -> None:
        opened.append(listener)

    with alone(places, 1) as locks, closing(connect(places.database)) as somebody:
        somebody.execute("BEGIN EXCLUSIVE")  # so that a look at the whole has to wait
        door = SocketFile(places)
        health.suspect = True
        with door.bind():
            looking = asyncio.create_task(
                SelfCheck(places, locks, door, health, stopping).run(listen)
            )
            await asyncio.to_thread(until, lambda: not health.suspect)
            stopping.set()
            door.unlink()
            somebody.rollback()
            await looking
    assert opened == []
    assert not places.socket.exists()
