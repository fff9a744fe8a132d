"""Entry point of `make fleet-load`: a fleet of 200 hosts on a real PostgreSQL, through faults.

Three hosts have real daemons, whose events come through the shim; the others are databases that the
same code writes and sends. At the end the checker compares what each host has with the central
store; the exit code is 1 where something is missing, twice or different, or a fault did not happen.
"""

import argparse
import heapq
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from itertools import count
from typing import Any

import click

from fleet_load import plan
from fleet_load.checker import Happened, Run, check
from fleet_load.faults import (
    TOO_NEW,
    TOO_OLD,
    Faults,
    NotNowError,
    Steps,
    disk_refusals,
    said_by,
)
from fleet_load.record import Stored, Written, stored, written
from fleet_load.scene import FOLDER, TENANT, Scene, Size, chance_of, scene
from hookd.central.connection import ANSWER_S
from support.postgres import MissingError, programs

BEATS_S = 45.0
"""Seconds for the last heartbeat of each host, which has its sessions' counters."""

_BEGAN = time.monotonic()

Pairs = dict[str, tuple[Written, Stored]]


def main() -> int:
    """Run the fleet; return 1 where the store is not exact."""
    size = _size(_parsed())
    try:
        programs()
    except MissingError as missing:
        click.echo(f"fleet-load: {missing}", err=True)
        return 2
    click.echo(
        f"fleet-load: {size.reals} daemons, {size.writers} writers, {size.sessions} sessions each,"
        f" {size.seconds:g} s, SEED={size.seed}; {size.rate:g} events a second of each writer, in"
        f" transactions every {size.burst_s:g} s; {size.real_rate:g} hooks a second of each daemon"
    )
    with scene(size) as made:
        begun = datetime.now(UTC)
        _phase("the hosts are in the fleet")
        _loaded(made)
        _phase("the hosts rest")
        drained = _drained(made)
        _phase("the outboxes are empty")
        pairs, wrong = _compared(made, begun)
        _phase("compared")
    _report(made, pairs, drained)
    for one in wrong:
        click.echo(f"WRONG: {one}")
    (FOLDER / "wrong.txt").write_text("".join(f"{one}\n" for one in wrong))
    click.echo(f"exact: {'no' if wrong else 'yes'}. Evidence: {FOLDER}")
    return bool(wrong)


def _phase(what: str) -> None:
    click.echo(f"{time.monotonic() - _BEGAN:6.1f} s since the start: {what}", err=True)


def _loaded(made: Scene) -> None:
    """Let all hosts work for the time of the run, through all faults; then let them rest."""
    for process in made.writers:
        process.start()
    for one in made.reals:
        one.works()
    size, began = made.size, time.monotonic()

    def note(kind: str, what: str) -> None:
        at = time.monotonic() - began
        made.run.happened.append(Happened(kind, at, what))
        click.echo(f"{at:6.1f} s  {kind}: {what}", err=True)

    faults = Faults(made, chance_of(size), note)
    order = count()  # of faults that are due at once
    queue: list[tuple[float, int, Steps | str]] = [
        (one.at, next(order), one.kind)
        for one in plan.planned(size.seed, size.seconds, size.rounds, size.refused_s)
    ]
    heapq.heapify(queue)
    forgets = [size.seconds * share for share in (0.25, 0.45, 0.9)]
    while (now := time.monotonic() - began) < size.seconds or queue:
        if queue and now >= queue[0][0]:
            _step(faults, queue, now, order)
        elif forgets and now >= forgets[0]:
            forgets.pop(0)
            one = made.reals[len(forgets) % len(made.reals)]
            made.notes.setdefault(one.name, []).extend(one.forgets())
        else:
            time.sleep(0.05)
        _watch(made)
        if now > 2 * size.seconds + 240:
            raise RuntimeError("the faults do not end")
    made.orders.writing = False
    made.orders.publish(FOLDER)
    for one in made.reals:
        one.rests()
        one.starts()
        one.started()


def _step(
    faults: Faults, queue: list[tuple[float, int, Steps | str]], now: float, order: Iterator[int]
) -> None:
    """Begin or continue the fault that is due; if it must wait, it is due again in a second."""
    _, _, found = heapq.heappop(queue)
    steps = faults.begin(found) if isinstance(found, str) else found
    try:
        pause = next(steps)
    except NotNowError:
        heapq.heappush(queue, (now + 1, next(order), found))
    except StopIteration:
        pass
    else:
        heapq.heappush(queue, (now + pause, next(order), steps))


def _watch(made: Scene) -> None:
    """Note processes of writers that have ended without a fault."""
    for one in made.writers:
        if one.process is not None and one.process.poll() is not None:
            made.run.errors.append(f"writers {one.number} ended: code {one.process.returncode}")
            one.process = None
            one.start()


def _drained(made: Scene) -> float:
    """Wait until all outboxes are empty; return the seconds. Those that are not are reported."""
    began, due = time.monotonic(), 10.0
    while waiting := made.waiting():
        spent = time.monotonic() - began
        if spent > made.size.drain_s:
            return spent
        if spent > due:
            due += 10
            rows = sum(waiting.values())
            click.echo(f"{rows} rows of {len(waiting)} hosts wait", err=True)
        time.sleep(0.2)
    return time.monotonic() - began


def _compared(made: Scene, begun: datetime) -> tuple[Pairs, list[str]]:
    """Compare each host with the store, again until the last heartbeats are there."""
    run = made.run
    run.same_day = begun.date() == datetime.now(UTC).date()
    _collect(made)
    end = time.monotonic() + BEATS_S
    while True:
        pairs = _pairs(made)
        wrong = check(pairs, run)
        if not wrong or time.monotonic() > end:
            break
        time.sleep(1)
    (FOLDER / "faults.json").write_text(json.dumps([asdict(one) for one in run.happened], indent=1))
    return pairs, wrong


def _collect(made: Scene) -> None:
    """Collect what the processes have reported; the log of a sync process does not name it."""
    for one in made.reals:
        if one.name in made.run.old:
            made.run.refused[one.name, 0] = sum(TOO_OLD in line for line in one.logged())
    for process in made.writers:
        for line in process.lines():
            if TOO_OLD in line.get("said", ""):
                made.run.refused[line["host"], line["pid"]] += 1
            if "error" in line:
                made.run.errors.append(line["error"])
    made.run.full = disk_refusals(made)
    made.run.too_new = len(said_by(made.writers[0], TOO_NEW))


def _pairs(made: Scene) -> Pairs:
    """Read both sides of each host."""
    after = {one.name: one.after for one in made.reals}
    upgraded = {name for one in made.writers if one.upgraded for name in one.hosts}
    found: Pairs = {}
    with made.admin() as admin:
        for name, database in made.databases().items():
            notes = FOLDER / f"forgotten-{name}"
            lines = notes.read_text().splitlines() if notes.exists() else made.notes.get(name, [])
            one = written(database, after.get(name, 0), lines)
            one.shift = made.orders.shifts.get(name, 0.0)
            one.daemon = name in after
            one.client = 2 if name in upgraded else 1
            found[name] = (one, stored(admin, TENANT, name, schema=True))
    return found


def _report(made: Scene, pairs: Pairs, drained: float) -> None:
    """Print the table."""
    lines = [line for one in made.writers for line in one.lines() if "waiting" in line]
    by_mode = Counter(one.mode for one, _ in pairs.values())
    rows = {
        "hosts": f"{len(pairs)} ({', '.join(f'{n} {mode}' for mode, n in by_mode.items())})",
        "events a second of all hosts": f"{_events(made, lines) / made.size.seconds:.0f}",
        "events that hosts wrote to send": sum(len(w.events) for w, _ in pairs.values()),
        "events in the store": sum(len(s.events) for _, s in pairs.values()),
        "  sent by functions of schema 2": sum(s.schemas[2] for _, s in pairs.values()),
        "sessions on the hosts": sum(len(w.sessions) for w, _ in pairs.values()),
        "sessions in the store": sum(len(s.sessions) for _, s in pairs.values()),
        "sessions that were forgotten": sum(w.forgotten for w, _ in pairs.values()),
        "events counted by the store": sum(s.minutes.total() for _, s in pairs.values()),
        "hooks through the real shim": sum(one.fired for one in made.reals),
        "transactions that a full disk refused": made.run.full,
        "hosts that were refused, each said it": len({name for name, _ in made.run.refused}),
        "hosts that were newer than the store": made.run.too_new,
        "rows that waited at most, of one process": max((x["waiting"] for x in lines), default=0),
        "longest time with rows that waited": f"{max((x['lag'] for x in lines), default=0):.1f} s",
        "time until all outboxes were empty": f"{drained:.1f} s",
    }
    width = max(map(len, rows))
    for name, value in rows.items():
        click.echo(f"{name:{width}}  {value}")
    _faults(made.run)


def _events(made: Scene, lines: list[dict[str, Any]]) -> int:
    """Return the events that hosts wrote, those included that they do not send."""
    most = {line["pid"]: line["written"] for line in lines}
    return sum(most.values()) + sum(one.fired for one in made.reals)


def _faults(run: Run) -> None:
    for kind in plan.EVERY:
        times = [one for one in run.happened if one.kind == kind]
        at = ", ".join(f"{one.at:.0f} s ({one.what})" for one in times)
        click.echo(f"{kind}: {len(times)}{': ' if times else ''}{at}")
    for kind, reason in run.skipped.items():
        click.echo(f"SKIPPED: {kind}: {reason}", err=True)


def _size(asked: argparse.Namespace) -> Size:
    """Return the size that was asked for."""
    if asked.short:
        return Size(
            seconds=16, reals=2, writers=10, rounds=1, rate=2, burst_s=0.5, real_rate=2,
            sessions=asked.sessions or 10, beat_s=1.5, answer_s=3, down_s=1.5, refused_s=3,
            drain_s=60, groups=3, seed=asked.seed,
        )  # fmt: skip
    return Size(
        seconds=asked.minutes * 60, reals=3, writers=asked.hosts - 3, rounds=2, rate=asked.rate,
        burst_s=5, real_rate=3, sessions=asked.sessions or 40, beat_s=10, answer_s=ANSWER_S,
        down_s=6, refused_s=75, drain_s=300, groups=8, seed=asked.seed,
    )  # fmt: skip


def _parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="fleet-load", description=__doc__)
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--hosts", type=int, default=200)
    parser.add_argument("--rate", type=float, default=1, help="events a second of each writer")
    parser.add_argument("--sessions", type=int, help="open sessions of each host")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--short", action="store_true", help="12 hosts, each fault once")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
