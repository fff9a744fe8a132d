"""A process of many hosts without daemons: each writes its own database and sends its own outbox.

    python -m fleet_load.writers FOLDER NUMBER [--next]

It reads `writers-NUMBER.json`, obeys the orders of the folder, and writes a line of JSON a second:
how much was written, what waits, and for how long. It ends with its parent.
"""

import asyncio
import json
import os
import random
import sys
import time
from pathlib import Path
from typing import Any

from fleet_load import next_version
from fleet_load.orders import Orders, WriterConfig, orders, work
from fleet_load.writer_host import WriterHost
from hookd.store.database import DatabaseError

LOOK_S = 0.2
"""Seconds between two looks at the orders."""


class Writers:
    """The hosts of one process."""

    def __init__(self, folder: Path, number: int) -> None:
        self._folder = folder
        self._work = work(folder / f"writers-{number}.json")
        self._orders = Orders()
        self._idle: dict[str, float] = {}
        self._unopened = 0
        self.hosts: list[WriterHost] = []

    async def run(self) -> None:
        """Write and send until this process is ended."""
        self._obey()
        async with asyncio.TaskGroup() as group:
            for config in self._work.hosts:
                group.create_task(self._lives(config))
            group.create_task(self._watches())

    def _obey(self) -> None:
        self._orders = orders(self._folder)
        for host in self.hosts:
            host.shift = self._orders.shifts.get(host.config.name, 0.0)

    async def _lives(self, config: WriterConfig) -> None:
        """Open a host, which a full disk may delay; write and send."""
        while True:
            try:
                host = WriterHost(config, self._work, self._folder, _said)
                break
            except DatabaseError:
                self._unopened += 1
                await asyncio.sleep(1)
        self.hosts.append(host)
        self._obey()
        await asyncio.gather(self._sends(host), self._writes(host))

    async def _sends(self, host: WriterHost) -> None:
        """Run a shipper; after a failure that it does not expect, another one."""
        while True:
            try:
                await host.shipper().run()
                return
            except Exception as error:  # noqa: BLE001 - the run reports it
                _report_line(error=f"{host.config.name}: the shipper ended: {error!r}")
                await asyncio.sleep(1)

    async def _writes(self, host: WriterHost) -> None:
        """Write events at the rate of a host, some at once; a host that is late writes more."""
        burst_s, rate = self._work.burst_s, self._work.rate
        clock = asyncio.get_running_loop().time
        await asyncio.sleep(burst_s * random.random())
        done = clock() - burst_s
        while True:
            count = min(int((clock() - done) * rate), int(5 * burst_s * rate))
            if self._orders.writing and count:
                try:
                    host.works(count)
                except Exception as error:  # noqa: BLE001 - the run reports it
                    _report_line(error=f"{host.config.name}: nothing can be written: {error!r}")
            done = clock()
            await asyncio.sleep(burst_s)

    async def _watches(self) -> None:
        """Obey the orders; report what waits; end with the parent."""
        parent, due = os.getppid(), 0.0
        while os.getppid() == parent:
            self._obey()
            now = time.monotonic()
            if now >= due:
                due = now + 1
                self._report(now)
            await asyncio.sleep(LOOK_S)
        os._exit(1)

    def _report(self, now: float) -> None:
        waiting = {host.config.name: host.waiting() for host in self.hosts}
        for name, rows in waiting.items():
            if not rows or name not in self._idle:
                self._idle[name] = now
        _report_line(
            waiting=sum(waiting.values()),
            lag=round(max((now - self._idle[name] for name in waiting), default=0), 2),
            written=sum(host.written for host in self.hosts),
            failed=self._unopened + sum(host.failed for host in self.hosts),
        )


def _said(name: str, sentence: str) -> None:
    _report_line(host=name, said=sentence)


def _report_line(**facts: Any) -> None:
    sys.stdout.write(json.dumps({"at": time.time(), "pid": os.getpid(), **facts}) + "\n")
    sys.stdout.flush()


def main() -> None:
    """Run the hosts of one process."""
    if "--next" in sys.argv:
        next_version.become()
    asyncio.run(Writers(Path(sys.argv[1]), int(sys.argv[2])).run())


if __name__ == "__main__":
    main()
