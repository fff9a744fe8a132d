"""Load of a thousand open windows, each with one event a second.

`alive.py SOCKET CWD SESSIONS SECONDS` is the client: it tells in JSON what each answer took, and
what was wrong with those that were none. As with the shim, each event has a connection of its own.
"""

import asyncio
import json
import subprocess
import sys
from itertools import count
from pathlib import Path
from time import perf_counter

from homes import PAYLOAD, Home, home, session
from idle import kilobytes
from rows import Aim, Row, percentile

SESSIONS, SECONDS = 1_000, 120

_CALL = json.loads(PAYLOAD.read_text("utf-8"))
_COMMANDS = (
    "git status --short",
    "npm test -- --watch=false",
    "grep -rn 'def total' src | head -20",
    "cd src && python3 -m pytest -q tests/test_orders.py",
    "ls -la && git diff --stat",
)
_PREFIX = b'{"jsonrpc":"2.0","id":1,"result":'
_LINE = b'{"jsonrpc":"2.0","id":1,"method":"hooks.dispatch","params":{"body":true,"env":{}}}\n'
_LATE = 10
"""Seconds after which an answer counts as none: the client's own patience is no longer."""


def measure() -> list[Row]:
    """Return the rows of windows that are all alive."""
    with home() as place:
        told = _told(place)
        events, sessions = place.row(
            "SELECT count(*), (SELECT count(*) FROM sessions) FROM events WHERE kind = 'hook'"
        )
        memory = kilobytes(place.pid) / 1024
    wrong = told["wrong"] + abs(SESSIONS * SECONDS - events) + abs(SESSIONS - sessions)
    what = f"{SESSIONS:,} windows, an event a second each, {SECONDS} s"
    return [
        Row(f"{what}: errors, events lost or doubled", "", wrong, aim=Aim(0, of="value")),
        Row(f"{what}: p50", "ms", percentile(told["spent"], 50)),
        Row(f"{what}: p99", "ms", percentile(told["spent"], 99)),
        Row(f"{what}: memory at their end", "MB", memory, aim=Aim(60, of="value")),
    ]


def _told(place: Home) -> dict[str, list[float]]:
    command = [sys.executable, __file__, place.socket, place.path, str(SESSIONS), str(SECONDS)]
    client = subprocess.run(command, capture_output=True, check=True, timeout=4 * SECONDS)
    told: dict[str, list[float]] = json.loads(client.stdout)
    return told


class _Clients:
    """All the windows: what their answers took, and how many of them were none."""

    def __init__(self, path: str, cwd: Path) -> None:
        self.spent: list[float] = []
        self.wrong = 0
        self._path, self._cwd = path, cwd
        self._numbers = count(1)

    async def window(self, number: int, sessions: int, seconds: int) -> None:
        """Send an event a second; all the windows together are spread over each."""
        began = asyncio.get_running_loop().time() + number / sessions
        for turn in range(seconds):
            await asyncio.sleep(max(0.0, began + turn - asyncio.get_running_loop().time()))
            await self._event(number)

    async def _event(self, number: int) -> None:
        call = next(self._numbers)
        tool_input = {"command": _COMMANDS[call % len(_COMMANDS)]}
        told = {"session_id": session(number), "cwd": str(self._cwd), "tool_input": tool_input}
        event = _CALL | told | {"tool_use_id": f"toolu_{call:018d}"}
        since = perf_counter()
        try:
            async with asyncio.timeout(_LATE):
                answer = await self._asked(json.dumps(event).encode() + b"\x1e")
        except (OSError, TimeoutError):
            answer = b""
        self.spent.append((perf_counter() - since) * 1000)
        self.wrong += _PREFIX not in answer

    async def _asked(self, body: bytes) -> bytes:
        reader, writer = await asyncio.open_unix_connection(self._path)
        try:
            writer.write(_LINE + body)
            return await reader.read()
        finally:
            writer.close()


async def _main(path: str, cwd: str, sessions: str, seconds: str) -> None:
    clients = _Clients(path, Path(cwd))
    async with asyncio.TaskGroup() as group:
        for number in range(int(sessions)):
            group.create_task(clients.window(number + 1, int(sessions), int(seconds)))
    print(json.dumps({"spent": clients.spent, "wrong": clients.wrong}))


if __name__ == "__main__":
    asyncio.run(_main(*sys.argv[1:]))
