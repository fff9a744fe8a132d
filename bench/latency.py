"""Latency of one client on the socket: an asyncio echo, and blocks of calls in turns."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from time import perf_counter

from homes import Home, Link, call, session

ECHO = Path(__file__).with_name("echo.py")
ROUNDS, BLOCK = 60, 40

_numbers = count(1)


class LatencyError(Exception):
    """A server answered with something else than was asked for."""


@contextmanager
def echo(path: Path) -> Iterator[Path]:
    """Run asyncio's own echo on a socket."""
    command = [sys.executable, ECHO, path]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as server:
        try:
            if server.stdout is None or server.stdout.readline() != b"ready\n":
                raise LatencyError("the echo server did not start")
            yield path
        finally:
            server.kill()


@contextmanager
def link(path: Path) -> Iterator[Link]:
    """Connect to a socket."""
    made = Link(path)
    try:
        yield made
    finally:
        made.close()


Lines = Callable[[], list[bytes]]


def block(place: Home) -> list[bytes]:
    """Return requests that were never made before, each to be committed."""
    numbers = (next(_numbers) for _ in range(BLOCK))
    return [call(session(1), f"toolu_{number:018d}", place.path) for number in numbers]


def _timed(link: Link, lines: list[bytes]) -> list[float]:
    """Return the milliseconds that each answer took."""
    spent = []
    for line in lines:
        began = perf_counter()
        answer = link.ask(line)
        spent.append((perf_counter() - began) * 1000)
        if not answer.startswith((b'{"jsonrpc":"2.0","id":1,"result"', line[:40])):
            raise LatencyError(answer.decode(errors="replace"))
    return spent


def interleaved(
    sides: dict[str, tuple[Link, Lines]], rounds: int = ROUNDS, *, before: int = 5
) -> dict[str, list[float]]:
    """Return what each side took; each round gives every side one block, in changing order.

    `before` are rounds that are not counted.
    """
    names = list(sides)
    spent: dict[str, list[float]] = {name: [] for name in names}
    for turn in range(-before, rounds):
        first = turn % len(names)
        for name in names[first:] + names[:first]:
            one, lines = sides[name]
            values = _timed(one, lines())
            if turn >= 0:
                spent[name] += values
    return spent
