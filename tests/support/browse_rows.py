"""A database with the rows that queries for board and browser show, and a reader of it."""

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from sqlite3 import Connection
from typing import Any, TypeVar

from hookd.redaction.redact import record
from hookd.store import writes
from hookd.store.browse.connection import Browser
from hookd.store.database import open_database
from support.database_rows import event, fill

T = TypeVar("T")


def database(path: Path, *change: Callable[[Connection], object]) -> Path:
    """Create a database with the rows of `fill`, and apply changes to it."""
    with closing(open_database(path)) as db:
        fill(db)
        for one in change:
            one(db)
    return path


def called(number: int, session: int, command: str = "ls", **more: Any) -> writes.Event:
    """Return a call of Bash by a session; minute N for event N."""
    payload = {"hook_event_name": "PreToolUse", "tool_input": {"command": command}}
    at = f"2026-01-31T{8 + number // 60:02}:{number % 60:02}:00.000Z"
    known = {"session_id": session, "tool_name": "Bash", "record": record(payload), "at": at}
    return writes.Event(**({"id": number, "event": "PreToolUse"} | known | more))


def denied(number: int, session: int, rule: str = "destructive-guard", **more: Any) -> writes.Event:
    """Return a call that a rule denied."""
    opinion = {"rule": rule, "verdict": "deny", "reason": "It deletes all.", "ruleIds": ["rm-1"]}
    known = {
        "decision": "deny",
        "rule": rule,
        "answer": json.dumps({"hookSpecificOutput": {"permissionDecision": "deny"}}),
        "facts": json.dumps({"project": "/work/orders", "opinions": [opinion]}),
    }
    return called(number, session, **({"command": "rm -rf /"} | known | more))


def recorded(*events: writes.Event) -> Callable[[Connection], None]:
    """Return a change that stores events."""

    def store(db: Connection) -> None:
        for one in events:
            writes.record(db, one)

    return store


def read(path: Path, query: Callable[[Connection], T]) -> T:
    """Return what a query finds in the file."""
    with closing(Browser(path)) as browser:
        return browser.read(query)


__all__ = ["called", "database", "denied", "event", "read", "recorded"]
