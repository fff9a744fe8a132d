"""Load of fifty clients: answers per second, and whether every call was counted."""

import json
import subprocess
import sys
from contextlib import ExitStack, closing
from itertools import count
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from calls import MIXES, project
from homes import PATIENCE, Home, commit, fresh_database, written
from rows import Aim, Row, percentile

CLIENT = Path(__file__).with_name("client.py")
PROCESSES, CONNECTIONS, REQUESTS, ROUNDS = 2, 25, 60, 5
CALLS = PROCESSES * CONNECTIONS * REQUESTS

_FASTER = Aim(1.3, ">=")
_sessions = count(1, PROCESSES * CONNECTIONS)


class LoadError(Exception):
    """Calls were lost, or counted twice."""


def measure(place: Home, base: Home | None = None) -> list[Row]:
    """Return the rows of fifty clients at once; raise LoadError where a count is not exact.

    An older build in `base` takes turns with this one.
    """
    places = [place, *([base] if base else [])]
    rows = [row for mix in MIXES for row in _measured(mix, places)]
    for one in places:
        _exact(one)
    return [*rows, Row("calls lost or counted twice by then", "", 0, aim=Aim(0, of="value"))]


def _measured(mix: str, places: list[Home]) -> list[Row]:
    rates: list[list[float]] = [[] for _ in places]
    waits: list[list[float]] = [[] for _ in places]
    raw = []
    for _ in range(ROUNDS):
        first = next(_sessions)
        raw.append(CALLS / _committed(places[0].path / f"raw{first}.db"))
        for side, place in enumerate(places):
            seconds, spent = _served(place, first, mix)
            rates[side].append(CALLS / seconds)
            waits[side].append(percentile(spent, 99))
    rate, before = median(rates[0]), median(rates[1]) if places[1:] else None
    late = median(waits[1]) if places[1:] else None
    what = f"50 clients at once, {mix}"
    rows = [
        Row(what, "/s", rate, aim=Aim(2000, ">=", "value"), before=before),
        Row(f"{what} / raw commits", "/s", rate, median(raw)),
        Row(f"{what}, p99", "ms", median(waits[0]), aim=Aim(40, of="value"), before=late),
    ]
    if before:
        rows.append(Row(f"{what}: this tree / {places[1].build.name}", "/s", rate, before, _FASTER))
    return rows


def _committed(path: Path) -> float:
    """Return the seconds that a bare loop takes to commit what the calls cause."""
    calls = [written(number) for number in range(1, CALLS + 1)]
    with closing(fresh_database(path)) as db:
        began = perf_counter()
        for one in calls:
            commit(db, one)
        return perf_counter() - began


def _served(place: Home, first: int, mix: str) -> tuple[float, list[float]]:
    """Return the seconds from the first call to the last answer, and each answer's in ms."""
    with ExitStack() as stack:
        clients = []
        for number in range(PROCESSES):
            client = _client(place, first + number * CONNECTIONS, mix)
            clients.append(stack.enter_context(client))
            stack.callback(client.kill)
        for client in clients:
            if client.stdout is None or client.stdout.readline() != "ready\n":
                raise LoadError("a client did not start")
        told = [_told(client) for client in _gone_off(clients)]
    seconds = max(one["ended"] for one in told) - min(one["began"] for one in told)
    return seconds, [wait for one in told for wait in one["spent"]]


def _client(place: Home, first: int, mix: str) -> "subprocess.Popen[str]":
    numbers = map(str, (first, CONNECTIONS, REQUESTS))
    command = [sys.executable, CLIENT, place.socket, project(place), mix, *numbers]
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def _gone_off(clients: list["subprocess.Popen[str]"]) -> list["subprocess.Popen[str]"]:
    for client in clients:
        if client.stdin is not None:
            client.stdin.write("go\n")
            client.stdin.flush()
    return clients


def _told(client: "subprocess.Popen[str]") -> dict[str, Any]:
    said, complaint = client.communicate(timeout=PATIENCE)
    if client.returncode != 0:
        raise LoadError(complaint)
    told: dict[str, Any] = json.loads(said)
    return told


def _exact(place: Home) -> None:
    """Raise LoadError unless every call is an event, and its session's counter says the same."""
    expected = len(MIXES) * ROUNDS * CALLS
    events, keys = place.row("SELECT count(*), count(DISTINCT delivery_key) FROM events")
    counted, least, most = place.row(
        "SELECT sum(heartbeat_counter), min(heartbeat_counter), max(heartbeat_counter)"
        " FROM sessions"
    )
    found = (events, keys, counted, least, most)
    if found != (expected, expected, expected, REQUESTS, REQUESTS):
        raise LoadError(
            f"{expected} calls, {REQUESTS} each session, but events, keys, counters, their least"
            f" and most are {found}"
        )
