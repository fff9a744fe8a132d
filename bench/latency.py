"""Latency of one client on the socket: against an echo, and with a million rows."""

import asyncio
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from sqlite3 import connect
from time import perf_counter

from homes import Home, Link, call, home, session
from rows import Aim, Row, percentile

ECHO = Path(__file__).with_name("echo.py")
ROUNDS, BLOCK = 60, 40
MILLION = 1_000_000

_numbers = count(1)


class LatencyError(Exception):
    """A server answered with something else than was asked for."""


@contextmanager
def _echo(path: Path, kind: str) -> Iterator[Path]:
    command = [sys.executable, ECHO, path, kind]
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


def against_echo() -> list[Row]:
    """Return the rows of one client's waiting time against echo servers."""
    with ExitStack() as stack:
        place = stack.enter_context(home())
        links = {"hookd": stack.enter_context(link(place.socket))}
        for kind in ("streams", "protocol", "commits"):
            path = stack.enter_context(_echo(place.path / f"{kind}.sock", kind))
            links[kind] = stack.enter_context(link(path))
        spent = interleaved({name: (one, lambda: block(place)) for name, one in links.items()})
        _committed(place, (ROUNDS + 5) * BLOCK)
    p50 = {name: percentile(values, 50) for name, values in spent.items()}
    p99 = {name: percentile(values, 99) for name, values in spent.items()}
    what = "hooks.preToolUse, one client"
    return [
        Row(f"{what}, p50 / echo on uvloop", "ms", p50["hookd"], p50["streams"]),
        Row(f"{what}, p50", "ms", p50["hookd"], aim=Aim(1, of="value")),
        Row(f"{what}, p50 / bare protocol on uvloop", "ms", p50["hookd"], p50["protocol"]),
        Row(f"{what}, p50 / echo that commits", "ms", p50["hookd"], p50["commits"]),
        Row(f"{what}, p99 / echo on uvloop", "ms", p99["hookd"], p99["streams"]),
    ]


async def _asked(path: Path, lines: list[bytes]) -> list[float]:
    """Return what each answer took an asyncio client, in milliseconds."""
    reader, writer = await asyncio.open_unix_connection(path)
    spent = []
    for line in lines:
        began = perf_counter()
        writer.write(line)
        await reader.readline()
        spent.append((perf_counter() - began) * 1000)
    writer.close()
    await writer.wait_closed()
    return spent


def asked_by_asyncio() -> list[Row]:
    """Return the row of an asyncio client's waiting time, against asyncio's own echo."""
    spent: dict[str, list[float]] = {"hookd": [], "echo": []}
    with home() as place, _echo(place.path / "asyncio.sock", "asyncio") as echo:
        for _ in range(ROUNDS):
            spent["hookd"] += asyncio.run(_asked(place.socket, block(place)))
            spent["echo"] += asyncio.run(_asked(echo, block(place)))
    ours, theirs = (percentile(values, 50) for values in spent.values())
    what = "hooks.preToolUse, one asyncio client, p50 / asyncio echo"
    return [Row(what, "ms", ours, theirs, Aim(4))]


def with_a_million() -> list[Row]:
    """Return the row of the waiting time with a million events, against none."""
    with home() as full, home() as empty:
        full.hookd("stop", "--yes")
        _fill(full)
        full.hookd("start")
        with link(full.socket) as one, link(empty.socket) as other:
            sides = {
                "full": (one, lambda: block(full)),
                "empty": (other, lambda: block(empty)),
            }
            spent = interleaved(sides)
        _committed(full, MILLION + (ROUNDS + 5) * BLOCK)
    p50 = {name: percentile(values, 50) for name, values in spent.items()}
    what = "hooks.preToolUse, p50, a million events / none"
    return [Row(what, "ms", p50["full"], p50["empty"], Aim(1.3))]


def _committed(place: Home, expected: int) -> None:
    (kept,) = place.row("SELECT count(*) FROM events")
    if kept != expected:
        raise LatencyError(f"{expected} events should be there, {kept} are")


def _fill(place: Home) -> None:
    """Fill `events` of a place without a daemon: a thousand sessions of a thousand calls each.

    It takes some 800 MB of disk until the place goes.
    """
    db = connect(place.database, isolation_level=None)
    db.execute("PRAGMA journal_mode = OFF")
    db.execute("PRAGMA synchronous = OFF")
    db.execute("PRAGMA cache_size = -64000")
    db.execute(
        "INSERT INTO events (at, event, session_id, claude_session_id, tool_name, tool_use_id,"
        " payload, result, delivery_key)"
        " WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?1 - 1)"
        " SELECT strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), 'PreToolUse',"
        " i / 1000 + 1000, 'session-' || i / 1000,"
        # The keys of one session lie together, those of the sessions anywhere: as hookd's own.
        " 'Bash', 'toolu_' || i, ?2, ?3, printf('%012x-%s',"
        " (i / 1000 * 2654435761 * 40503) & 0xffffffffffff, lower(hex(randomblob(12)))) FROM n",
        (MILLION, "p" * 300, "r" * 180),
    )
    db.close()
