"""Network between the hosts and PostgreSQL: a process that forwards, delays, loses and cuts.

    python -m fleet_load.network PORT GROUPS

It prints its ports, one for each group of hosts, as a line of JSON. Its commands are lines on
stdin: `delay 3`, `lose 3`, `cut 3` and `heal 3`. It ends with its stdin.
"""

import asyncio
import json
import sys
from contextlib import suppress

Pair = tuple[asyncio.StreamWriter, asyncio.StreamWriter]


class Group:
    """The hosts behind one port. `flows` is set unless everything is delayed."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._pairs: set[Pair] = set()
        self._lost: set[Pair] = set()
        self.flows = asyncio.Event()
        self.flows.set()
        self.loses = False
        self.refuses = False

    def delay(self) -> None:
        """Forward nothing until `heal`; nothing is lost, as if packets were sent again."""
        self.flows.clear()

    def lose(self) -> None:
        """Lose all that open connections send from now on, their ends too."""
        self.loses = True
        self._lost |= self._pairs

    def cut(self) -> None:
        """End all connections, and refuse new ones until `heal`."""
        self.refuses = True
        for pair in self._pairs - self._lost:
            for writer in pair:
                writer.transport.abort()

    def heal(self) -> None:
        """Forward again. Connections that lost something stay lost: PostgreSQL learns nothing."""
        self.loses = self.refuses = False
        self.flows.set()

    async def serve(self, near: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        """Forward one connection until both of its ends have ended."""
        if self.refuses:
            back.transport.abort()
            return
        await self.flows.wait()
        try:
            far, forth = await asyncio.open_connection("127.0.0.1", self._target)
        except OSError:
            back.transport.abort()
            return
        pair = (back, forth)
        self._pairs.add(pair)
        if self.loses:
            self._lost.add(pair)
        await asyncio.gather(self._pass(pair, near, forth), self._pass(pair, far, back))
        self._pairs.discard(pair)

    async def _pass(
        self, pair: Pair, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        with suppress(OSError):
            while chunk := await reader.read(65_536):
                await self.flows.wait()
                if pair not in self._lost:
                    writer.write(chunk)
                    await writer.drain()
        if pair not in self._lost:
            writer.close()


async def _commands(groups: list[Group]) -> None:
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        word, number = line.decode().split()
        getattr(groups[int(number)], word)()
        _answer(line.decode().strip())


def _answer(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


async def _run(target: int, count: int) -> None:
    groups = [Group(target) for _ in range(count)]
    servers = [
        await asyncio.start_server(group.serve, "127.0.0.1", 0, backlog=512) for group in groups
    ]
    _answer(json.dumps([one.sockets[0].getsockname()[1] for one in servers]))
    await _commands(groups)


if __name__ == "__main__":
    asyncio.run(_run(int(sys.argv[1]), int(sys.argv[2])))
