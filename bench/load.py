"""The home of fifty clients at once: how many answers a second, and whether every call counted."""

import json
import subprocess
import sys
from contextlib import ExitStack, closing
from itertools import count
from pathlib import Path
from statistics import median
from time import perf_counter

from homes import PATIENCE, PAYLOAD, Home, fresh_database, session
from rows import Aim, Row

CLIENT = Path(__file__).with_name("client.py")
PROCESSES, CONNECTIONS, REQUESTS, ROUNDS = 2, 25, 80, 3
CALLS = PROCESSES * CONNECTIONS * REQUESTS

_RESULT = json.dumps(
    {
        "hookOutput": None,
        "allow": True,
        "heartbeatCount": 1234,
        "contextUsage": None,
        "overflowWarning": False,
        "pendingPreloads": [],
        "firedRules": [],
        "reason": None,
    },
    separators=(",", ":"),
)
_INSERT = (
    "INSERT INTO events (id, at, event, session_id, claude_session_id, tool_name, tool_use_id,"
    " prompt_id, payload, result, delivery_key) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_UPDATE = (
    "UPDATE sessions SET heartbeat_counter = ?, last_heartbeat = ?, last_event_at = ? WHERE id = ?"
)
_AT = "2026-01-31T08:00:00.000Z"
_sessions = count(1, PROCESSES * CONNECTIONS)


class LoadError(Exception):
    """Calls were lost, or counted twice."""


def measure(place: Home) -> list[Row]:
    """Return the rows of fifty clients at once; raise LoadError where a count is not exact."""
    ours, theirs = [], []
    for number in range(ROUNDS):
        theirs.append(CALLS / _committed(place.path / f"raw{number}.db"))
        ours.append(CALLS / _served(place))
    _exact(place)
    rate, raw = median(ours), median(theirs)
    what = "50 clients at once, hooks.preToolUse"
    return [
        Row(f"{what} / raw commits", "/s", rate, raw, Aim(0.5, ">=")),
        Row(what, "/s", rate, aim=Aim(1500, ">=", "value")),
        Row("calls lost or counted twice by then", "", 0, aim=Aim(0, of="value")),
    ]


def _committed(path: Path) -> float:
    """Return the seconds that a bare loop takes to commit what the calls cause."""
    payload = json.dumps(json.loads(PAYLOAD.read_text("utf-8")), separators=(",", ":"))
    with closing(fresh_database(path)) as db:
        for number in range(1, 51):
            db.execute(
                "INSERT INTO sessions (id, claude_session_id, source, created_at, last_event_at)"
                " VALUES (?, ?, 'seen', ?, ?)",
                (number, session(number), _AT, _AT),
            )
        events = [_event(number, payload) for number in range(1, CALLS + 1)]
        began = perf_counter()
        for number, event in enumerate(events):
            db.execute("BEGIN IMMEDIATE")
            db.execute(_INSERT, event)
            db.execute(_UPDATE, (number, _AT, _AT, number % 50 + 1))
            db.execute("COMMIT")
        return perf_counter() - began


def _event(number: int, payload: str) -> tuple[object, ...]:
    owner = number % 50 + 1
    # As hookd's own keys: a part of the session's, and a part that is anything.
    key = f"{owner * 0x9E3779B9 % 2**48:012x}-{number * 0x9E3779B97F4A7C15 % 2**64:024x}"
    tool = f"toolu_{number:018d}"
    return (
        number, _AT, "PreToolUse", owner, session(owner), "Bash", tool,
        "0a5e3de9-7fef-4e12-a412-fc862f7ab4f0", payload, _RESULT, key,
    )  # fmt: skip


def _served(place: Home) -> float:
    """Return the seconds from the first client's first call to the last one's last answer."""
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
    return max(one["ended"] for one in told) - min(one["began"] for one in told)


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


def _told(client: "subprocess.Popen[str]") -> dict[str, float]:
    said, complaint = client.communicate(timeout=PATIENCE)
    if client.returncode != 0:
        raise LoadError(complaint)
    times: dict[str, float] = json.loads(said)
    return times


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
