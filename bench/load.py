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

from homes import PATIENCE, Home, commit, fresh_database, written
from rows import Aim, Row, percentile

CLIENT = Path(__file__).with_name("client.py")
PROCESSES, CONNECTIONS, REQUESTS, ROUNDS = 2, 25, 80, 5
CALLS = PROCESSES * CONNECTIONS * REQUESTS

_sessions = count(1, PROCESSES * CONNECTIONS)


class LoadError(Exception):
    """Calls were lost, or counted twice."""


def measure(place: Home) -> list[Row]:
    """Return the rows of fifty clients at once; raise LoadError where a count is not exact."""
    ours, theirs, waits = [], [], []
    for number in range(ROUNDS):
        theirs.append(CALLS / _committed(place.path / f"raw{number}.db"))
        seconds, spent = _served(place)
        ours.append(CALLS / seconds)
        waits.append(percentile(spent, 99))
    _exact(place)
    rate, raw = median(ours), median(theirs)
    what = "50 clients at once, hooks.preToolUse"
    return [
        Row(f"{what} / raw commits", "/s", rate, raw, Aim(0.5, ">=")),
        Row(what, "/s", rate, aim=Aim(3000, ">=", "value")),
        Row(f"{what}, p99", "ms", median(waits), aim=Aim(40, of="value")),
        Row("calls lost or counted twice by then", "", 0, aim=Aim(0, of="value")),
    ]


def _committed(path: Path) -> float:
    """Return the seconds that a bare loop takes to commit what the calls cause."""
    calls = [written(number) for number in range(1, CALLS + 1)]
    with closing(fresh_database(path)) as db:
        began = perf_counter()
        for one in calls:
            commit(db, one)
        return perf_counter() - began


def _served(place: Home) -> tuple[float, list[float]]:
    """Return the seconds from the first call to the last answer, and each answer's in ms."""
    first = next(_sessions)
    with ExitStack() as stack:
        clients = []
        for number in range(PROCESSES):
            client = _client(place, first + number * CONNECTIONS)
            clients.append(stack.enter_context(client))
            stack.callback(client.kill)
        for client in clients:
            if client.stdout is None or client.stdout.readline() != "ready\n":
                raise LoadError("a client did not start")
        told = [_told(client) for client in _gone_off(clients)]
    seconds = max(one["ended"] for one in told) - min(one["began"] for one in told)
    return seconds, [wait for one in told for wait in one["spent"]]


def _client(place: Home, first: int) -> "subprocess.Popen[str]":
    numbers = map(str, (first, CONNECTIONS, REQUESTS))
    command = [sys.executable, CLIENT, place.socket, place.path, *numbers]
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
    expected = ROUNDS * CALLS
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
