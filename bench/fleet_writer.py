"""Write events into a host's database at a rate, as its daemon would: a process of the benchmark.

    python fleet_writer.py DATABASE RATE SECONDS

It prints the events that it has written per second.
"""

import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from sqlite3 import Connection, connect
from time import perf_counter, sleep
from uuid import uuid4

STEP_S = 0.01
"""Seconds between two transactions."""

SQL = (
    "INSERT INTO events (at, event, session_id, claude_session_id, tool_name, decision, decided_by,"
    " payload, delivery_key, duration_us) VALUES (?, ?, 1, ?, 'Bash', ?, ?, ?, ?, ?)"
)
"""One event of the mode decisions; session 1 has it."""

_EVENTS = ("PreToolUse", "PostToolUse")


def event(number: int, conversation: str, payload: str) -> tuple[object, ...]:
    """Return the values of `SQL` for an event of now; each twentieth is denied."""
    now = datetime.now(UTC).isoformat(timespec="milliseconds")[:-6] + "Z"
    denied = number % 20 == 0
    decided = ("deny", "destructive-guard") if denied else (None, None)
    key = f"{conversation}-{number}"
    return now, _EVENTS[number % 2], conversation, *decided, payload, key, 1_500 + number % 999


def write(db: Connection, rate: int, seconds: float) -> float:
    """Write `rate` events a second; return the rate that was reached."""
    conversation, written, began = str(uuid4()), 0, perf_counter()
    while written < int(rate * seconds):
        spent = perf_counter() - began
        due = int(rate * min(spent + STEP_S, seconds))
        rows = [event(number, conversation, "{}") for number in range(written, due)]
        db.execute("BEGIN IMMEDIATE")
        db.executemany(SQL, rows)
        db.execute("COMMIT")
        written = due
        sleep(max(0.0, STEP_S - (perf_counter() - began - spent)))
    return written / (perf_counter() - began)


if __name__ == "__main__":
    with closing(connect(Path(sys.argv[1]), isolation_level=None, timeout=60)) as database:
        print(f"{write(database, int(sys.argv[2]), float(sys.argv[3])):.1f}")
