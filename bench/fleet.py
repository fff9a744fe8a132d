"""Cost of a fleet: rows per second of one shipper, lag, bytes per row, and the host's own cost.

The server is a real PostgreSQL in a folder of its own, with its default settings (fsync is on). The
shipper is that of `hookd fleet sync`, with its batches.
"""

import asyncio
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from importlib.util import find_spec
from itertools import cycle
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import central_board
from builds import ROOT
from fleet_writer import SQL, event
from homes import Home, home
from latency import block, interleaved, link
from rows import Aim, Row, percentile

sys.path.append(str(ROOT / "tests"))

if TYPE_CHECKING:
    from support.central import Store
    from support.fleet_host import FleetHost

ROWS = 200_000
"""Rows that are sent in each mode."""

RATE, SECONDS = 2_000, 60
"""Events per second while the lag is measured."""

SESSIONS, BEATING_S = 40, 5
"""Open sessions of a host, and seconds for which its heartbeats are measured."""

CALLS, TURN = 4_000, 4
"""Calls of each side that compare hosts in a fleet and in none, and those of a turn: short turns,
so that other work on the machine meets both sides alike."""

_WRITER = Path(__file__).with_name("fleet_writer.py")
_PAYLOADS = ROOT / "tests" / "payloads"
_MODES: tuple[tuple[Any, Aim | None], ...] = (
    ("status", Aim(20_000, ">=", of="value")),
    ("decisions", Aim(20_000, ">=", of="value")),
    ("events", None),
)
_SESSIONS = (
    "INSERT INTO sessions (claude_session_id, source, client, client_version, model, branch, owner,"
    " project_id, created_at, last_event_at, ended_at, end_reason, tool_calls)"
    " VALUES (?, 'startup', 'claude-code', '2.1.330', 'claude-opus-4-5', 'paging', 'builder', 1,"
    " ?, ?, ?, 'clear', 217)"
)
_SIZES = {
    "status": "SELECT pg_total_relation_size('hookd.sessions')",
    "decisions": (
        "SELECT sum(pg_total_relation_size(relid)) FROM pg_partition_tree('hookd.events')"
    ),
}
_SIZES["events"] = _SIZES["decisions"]


def measure() -> list[Row]:
    """Return the rows of a fleet; none without PostgreSQL or the extra `fleet`."""
    if find_spec("psycopg") is None or find_spec("cryptography") is None:
        print("bench: fleet is not measured: hookd[fleet] is not installed.", file=sys.stderr)
        return []
    from support.central import store  # noqa: PLC0415 - this part alone needs it
    from support.postgres import MissingError, cluster, programs  # noqa: PLC0415

    try:
        programs()
    except MissingError as problem:
        print(f"bench: fleet is not measured: {problem}", file=sys.stderr)
        return []
    found: list[Row] = []
    with cluster({"log_statement": "none"}) as server:
        for mode, aim in _MODES:
            with store(server) as central:
                found += _throughput(central, mode, aim)
        with store(server) as central:
            found += _lag(central)
        with store(server) as central:
            found += _heartbeats(central)
        with store(server) as central:
            found += _host(central)
        with store(server) as central:
            found += central_board.measure(central)
    return found


@contextmanager
def _member(central: "Store", mode: Any) -> Iterator["FleetHost"]:
    from support.fleet_host import fleet_host  # noqa: PLC0415 - as above

    with (
        tempfile.TemporaryDirectory(prefix="hkb", dir="/tmp") as folder,
        fleet_host(Path(folder), central, mode) as (host, _tenant),
    ):
        yield host


def _throughput(central: "Store", mode: Any, aim: Aim | None) -> list[Row]:
    """Return the rows per second of a full outbox, and the bytes that a row has in the store."""
    from hookd.fleet_sync.shipper import Pace  # noqa: PLC0415 - needs the extra

    with _member(central, mode) as host:
        before = _size(central, mode)
        _fill_sessions(host) if mode == "status" else _fill_events(host, mode)
        waiting, shipper = host.waiting, host.shipper(Pace())
        began = perf_counter()
        asyncio.run(shipper.once())
        spent = perf_counter() - began
        if host.waiting or shipper.rejected:
            raise RuntimeError(f"{host.waiting} rows wait, {shipper.rejected} are refused")
        size = (_size(central, mode) - before) / waiting
    return [
        Row(
            f"fleet: rows a second of one shipper, mode {mode}", "rows/s", waiting / spent, aim=aim
        ),
        Row(f"fleet: a row in the central store, mode {mode}, with its indexes", "bytes", size),
    ]


def _size(central: "Store", mode: str) -> float:
    return float(central.rows(_SIZES[mode])[0][0] or 0)


def _fill_sessions(host: "FleetHost") -> None:
    now = datetime.now(UTC).isoformat(timespec="milliseconds")[:-6] + "Z"
    host.db.execute("BEGIN")
    host.db.executemany(_SESSIONS, ((str(uuid4()), now, now, now) for _ in range(ROWS)))
    host.db.execute("COMMIT")


def _fill_events(host: "FleetHost", mode: str) -> None:
    files = sorted(_PAYLOADS.glob("*.json")) if mode == "events" else ()
    texts = [json.dumps(json.loads(one.read_text("utf-8"))) for one in files] or ["{}"]
    if mode == "events":
        mean = sum(map(len, texts)) / len(texts)
        print(f"bench: {len(texts)} captured payloads, {mean:.0f} bytes each", file=sys.stderr)
    payloads, conversation = cycle(texts), str(uuid4())
    host.db.execute("BEGIN")
    rows = (event(number, conversation, next(payloads)) for number in range(ROWS))
    host.db.executemany(SQL, rows)
    host.db.execute("COMMIT")


class _Timed:
    """A connection to the store that notes when rows were there: `lags` has seconds."""

    def __init__(self, central: Any, lags: list[float]) -> None:
        self._central = central
        self._lags = lags

    def __getattr__(self, name: str) -> Any:
        return getattr(self._central, name)

    async def ship(self, epoch: str, stream: Any, lines: bytes) -> Any:
        """Send a batch; note the age of each event once the store has committed."""
        done = await self._central.ship(epoch, stream, lines)
        now = datetime.now(UTC)
        for line in lines.split(b"\n"):
            _seq, kind, at, _body = line.split(b"\t", 3)
            if kind == b"event":
                written = datetime.fromisoformat(at.decode())
                self._lags.append((now - written).total_seconds())
        return done


def _lag(central: "Store") -> list[Row]:
    """Return the lag of events between the host's commit and that of the store."""
    with _member(central, "decisions") as host:
        lags: list[float] = []
        connect = host.connect

        async def timed() -> _Timed:
            return _Timed(await connect(), lags)  # type: ignore[misc]

        host.connect = timed
        reached = asyncio.run(_shipping(host))
    what = f"fleet: lag at {RATE:,} events a second for {SECONDS} s"
    return [
        Row("fleet: events a second that were written meanwhile", "rows/s", reached),
        Row(f"{what}, p50", "s", percentile(lags, 50)),
        Row(f"{what}, p99", "s", percentile(lags, 99), aim=Aim(2, of="value")),
    ]


def _heartbeats(central: "Store") -> list[Row]:
    """Return the heartbeats per second of a connection, of a host with open sessions."""
    with _member(central, "status") as host:
        now = datetime.now(UTC).isoformat(timespec="milliseconds")[:-6] + "Z"
        rows = ((str(uuid4()), now, now, None) for _ in range(SESSIONS))
        host.db.executemany(_SESSIONS, rows)
        asyncio.run(host.shipper().once())
        reached, memory = asyncio.run(_beating(central, host))
    what = f"fleet: heartbeats a second of a connection, {SESSIONS} open sessions that all changed"
    return [
        Row(what, "beats/s", reached),
        Row("fleet: private memory of a connection at the server", "MB", memory),
    ]


async def _beating(central: "Store", host: "FleetHost") -> tuple[float, float]:
    """Report that a host lives, again and again; return the rate, and the server's megabytes.

    Each session has changed before each heartbeat: the server writes all of them.
    """
    from hookd.fleet_sync.store import Beat  # noqa: PLC0415 - needs the extra

    member = host.outbox.membership()
    connected: Any = await host.connect()  # type: ignore[misc]
    if member is None:
        raise RuntimeError("the host is in no fleet")
    count, spent = 0, 0.0
    while spent < BEATING_S:
        now = datetime.now(UTC).isoformat(timespec="milliseconds")[:-6] + "Z"
        host.db.execute("UPDATE sessions SET tool_calls = tool_calls + 1, last_event_at = ?", [now])
        began = perf_counter()
        beat = Beat("status", (), host.outbox.open_sessions())
        await connected.hello(member.epoch, beat)
        spent, count = spent + perf_counter() - began, count + 1
    pids = central.rows("SELECT pid FROM pg_stat_activity WHERE usename <> 'postgres'")
    memory = [_private(pid) for (pid,) in pids]
    await connected.close()
    return count / spent, max(memory, default=0)


def _private(pid: int) -> float:
    """Return the megabytes that a process shares with no other; 0 off Linux."""
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text("ascii")
    except OSError:
        return 0
    fields = (line.split() for line in text.splitlines() if line.startswith("Private_"))
    return sum(int(found[1]) for found in fields) / 1024


async def _shipping(host: "FleetHost") -> float:
    """Send while a process writes events; return its rate."""
    from hookd.fleet_sync.shipper import Pace  # noqa: PLC0415 - needs the extra

    shipping = asyncio.create_task(host.shipper(Pace()).run())
    writer = await asyncio.create_subprocess_exec(
        *(sys.executable, str(_WRITER), str(host.path / "hookd.db"), str(RATE), str(SECONDS)),
        stdout=subprocess.PIPE,
    )
    said, _ = await writer.communicate()
    shipping.cancel()
    with suppress(asyncio.CancelledError):
        await shipping
    await host.shipper(Pace()).once()
    return float(said)


def _host(central: "Store") -> list[Row]:
    """Return the latency of a hook on a host that sends decisions, and on one in no fleet."""
    with home() as alone, home() as joined:
        process = _join(central, joined)
        try:
            with link(joined.socket) as one, link(alone.socket) as other:
                ours, theirs = lambda: block(joined)[:TURN], lambda: block(alone)[:TURN]
                sides = {"in": (one, ours), "no": (other, theirs)}
                spent = interleaved(sides, CALLS // TURN, before=CALLS // TURN // 10)
        finally:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGTERM)
    inside, outside = (percentile(spent[name], 50) for name in ("in", "no"))
    what = "hooks.preToolUse, p50, in a fleet (decisions) / in no fleet"
    return [Row(what, "ms", inside, outside, Aim(1.03))]


def _join(central: "Store", place: Home) -> int:
    """Let a daemon's host join; return its sync process, which runs."""
    from hookd.core.fleet.credential import credential_text  # noqa: PLC0415 - needs the extra
    from hookd.system.fleet_files import sync_process  # noqa: PLC0415
    from support import forkserver  # noqa: PLC0415
    from support.fleet_host import credential_of  # noqa: PLC0415

    central.add_tenant("bench")
    given = credential_of(central, "bench", "ann", central.add_host("bench", "ann"))
    file = place.path / "ann.json"
    file.touch(mode=0o600)
    file.write_text(credential_text(given))
    words = ("fleet", "join", str(file), "--mode", "decisions")
    done = forkserver.run(words, place.env, place.path)  # a person's: no client is above it
    process = sync_process(place.path / "fleet" / "sync.lock")
    if done.returncode or process is None:
        raise RuntimeError(f"the host has not joined: {done.stderr}")
    return process
