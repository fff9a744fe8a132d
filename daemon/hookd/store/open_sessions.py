"""The windows that are open, for who looks after them."""

import sqlite3
from dataclasses import dataclass
from datetime import datetime

from hookd.core.model.facts import iso


@dataclass(frozen=True, slots=True)
class OpenWindow:
    """A window that has not ended: `pid` is its client's process, where that is known.

    `seen`: that process was found alive before.
    """

    id: int
    owner: str | None
    pid: int | None
    begun: datetime
    heard: datetime
    seen: bool


def open_windows(db: sqlite3.Connection) -> tuple[OpenWindow, ...]:
    """Return the main windows that are open, the oldest first."""
    rows = db.execute(
        "SELECT s.id, iif(s.agent_id IS NULL, s.owner, NULL), s.pid, s.created_at, s.last_event_at,"
        " s.process_seen FROM sessions s WHERE s.ended_at IS NULL AND (s.agent_id IS NULL"
        " OR NOT EXISTS (SELECT 1 FROM sessions p WHERE p.id = s.parent_session_id"
        "  AND p.ended_at IS NULL)) ORDER BY s.id"
    )
    return tuple(
        OpenWindow(number, owner, pid, _time(begun), _time(heard), bool(seen))
        for number, owner, pid, begun, heard, seen in rows
    )


def left_working(db: sqlite3.Connection, before: datetime) -> tuple[str, ...]:
    """Return the agents that work since then or longer, without an open window to do it in."""
    rows = db.execute(
        "SELECT id FROM agents WHERE status = 'working' AND status_at < ? AND NOT EXISTS"
        " (SELECT 1 FROM sessions s WHERE s.owner = agents.id AND s.ended_at IS NULL)",
        (iso(before),),
    )
    return tuple(name for (name,) in rows)


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text)
