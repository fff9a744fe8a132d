"""Cost of a subscriber of events: processor time of the daemon per event, with it and without.

A hundred events a second are sent, in rounds that take turns: with one subscriber, and without.
"""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from socket import AF_UNIX, SHUT_RDWR, socket
from statistics import median
from threading import Thread
from time import perf_counter, sleep

from homes import PATIENCE, Home, Link, call, home, session
from process import processor
from rows import Aim, Row, percentile

RATE, SECONDS, ROUNDS = 100, 2, 12
_numbers = count(1)


class Watcher:
    """One subscriber; `seen` has the moment at which each event arrived, by its number."""

    def __init__(self, place: Home) -> None:
        self.seen: dict[int, float] = {}
        self._link = socket(AF_UNIX)
        self._link.settimeout(PATIENCE)
        self._link.connect(str(place.socket))
        self._thread = Thread(target=self._read)
        self._thread.start()

    def _read(self) -> None:
        self._link.sendall(b'{"jsonrpc":"2.0","id":1,"method":"events.subscribe","params":{}}\n')
        with self._link.makefile("rb") as lines:
            for line in lines:
                now, told = perf_counter(), json.loads(line)
                for event in told.get("params", {}).get("events", ()):
                    self.seen.setdefault(event["id"], now)

    def close(self) -> None:
        """Hang up."""
        self._link.shutdown(SHUT_RDWR)
        self._thread.join()
        self._link.close()


def measure() -> list[Row]:
    """Return the rows of a daemon that is watched; none off Linux."""
    if sys.platform != "linux":
        return []
    spent: dict[bool, list[float]] = {False: [], True: []}
    waits: list[float] = []
    with home() as place:
        _round(place)  # so that nothing is imported in a round that counts
        for number in range(2 * ROUNDS):
            watched = number % 2 == 1
            with _watching(place, watched) as watcher:
                before = processor(place.pid)
                answered = _round(place)
                spent[watched].append((processor(place.pid) - before) / len(answered))
                if watcher:
                    waits += _waits(watcher, answered)
    alone, seen = (percentile(spent[one], 25) for one in (False, True))
    what = f"CPU per event at {RATE} a second, one subscriber of events / none"
    middle = median(spent[True]), median(spent[False])
    return [
        Row(what, "ms", seen, alone, Aim(1.1)),
        Row(f"{what}, medians", "ms", *middle),
        Row("an event reaches the subscriber, p50", "ms", percentile(waits, 50)),
        Row(
            "an event reaches the subscriber, p95",
            "ms",
            percentile(waits, 95),
            aim=Aim(100, of="value"),
        ),
    ]


@contextmanager
def _watching(place: Home, watched: bool) -> Iterator[Watcher | None]:
    watcher = Watcher(place) if watched else None
    try:
        sleep(0.2)
        yield watcher
    finally:
        if watcher:
            watcher.close()


def _round(place: Home) -> dict[int, float]:
    """Send events at their rate; return the moment of each answer by the event's number."""
    answered, link = {}, Link(place.socket)
    (first,) = place.row("SELECT coalesce(max(id), 0) FROM events")
    began = perf_counter()
    for turn in range(RATE * SECONDS):
        sleep(max(0.0, began + turn / RATE - perf_counter()))
        number = next(_numbers)
        link.ask(call(session(1), f"toolu_{number:018d}", place.path))
        answered[first + turn + 1] = perf_counter()
    link.close()
    return answered


def _waits(watcher: Watcher, answered: dict[int, float]) -> list[float]:
    """Return the milliseconds from each answer to its notification."""
    end = perf_counter() + 2
    while len(watcher.seen) < len(answered) and perf_counter() < end:
        sleep(0.01)
    missing = answered.keys() - watcher.seen.keys()
    if missing:
        raise ValueError(f"{len(missing)} events did not reach the subscriber")
    return [max(0.0, watcher.seen[number] - at) * 1000 for number, at in answered.items()]
