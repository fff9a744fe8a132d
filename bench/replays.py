"""Replay of recorded events with a change: events for each second of processor time."""

import json
import os
import subprocess
from itertools import count
from sqlite3 import connect

from commands import pipeline
from homes import Home, fresh_database, home, session
from rows import Aim, Row

EVENTS = 12_000
CALLS = 40
"""Calls of a session; each is two events."""

LEAST = 800
"""Events for each second of processor time, with the start of the processes."""

_INSERT = (
    "INSERT INTO events (id, at, event, claude_session_id, payload)"
    " VALUES (?, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), ?, ?, ?)"
)
_USUAL = (
    "git status",
    "git log -n {} --oneline",
    "npm test -- --grep 'order {}'",
    "python3 -m pytest -q tests/test_orders_{}.py",
    "grep -rn 'TODO {}' src",
    "ls -la",
)
"""Commands of a day; some occur again and again."""


def measure() -> list[Row]:
    """Return the row of a replay in two processes."""
    with home(daemon=False) as place:
        _fill(place)
        words = ("replay", "--rule", "Bash(git push *)", "--deny", "--json", "--processes", "2")
        command = [str(place.build.hookd), *words]
        with subprocess.Popen(command, env=place.env, stdout=subprocess.PIPE) as process:
            report = json.loads(process.communicate()[0])
        if report["events"] != EVENTS:
            raise ValueError(f"{EVENTS} events should be replayed, {report['events']} were")
        before = os.times()
        subprocess.run(command, env=place.env, stdout=subprocess.DEVNULL, check=True)
        after = os.times()
    spent = after.children_user + after.children_system
    spent -= before.children_user + before.children_system
    what = f"hookd replay, {EVENTS:,} events twice, for each second of processor time"
    return [Row(what, "events", EVENTS / spent, aim=Aim(LEAST, ">=", of="value"))]


def _fill(place: Home) -> None:
    """Record sessions of a place without a daemon: calls, and their results."""
    fresh_database(place.database).close()
    db = connect(place.database, isolation_level=None)
    db.execute("BEGIN")
    numbers = count(1)
    for call in range(EVENTS // 2):
        text = _USUAL[call % len(_USUAL)].format(call) if call % 8 else pipeline(call)
        owner = session(call // CALLS)
        event = {
            "session_id": owner,
            "cwd": "/work/orders",
            "tool_name": "Bash",
            "tool_input": {"command": text},
            "tool_use_id": f"toolu_{call}",
        }
        for name, more in (("PreToolUse", {}), ("PostToolUse", {"tool_response": {"stdout": ""}})):
            payload = json.dumps({"hook_event_name": name} | event | more)
            db.execute(_INSERT, (next(numbers), name, owner, payload))
    db.execute("COMMIT")
    db.close()
