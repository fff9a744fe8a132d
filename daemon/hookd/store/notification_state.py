"""Whether there is still something to tell the user of a session, and in which terminal it is."""

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

_STANDS = (
    "SELECT e.decision, e.pending, s.ended_at, a.tmux_socket, a.tmux_pane, a.tmux_server, s.owner,"
    " EXISTS (SELECT 1 FROM events l WHERE l.session_id = e.session_id AND l.id > e.id"
    "  AND l.event IN (SELECT value FROM json_each(?2)))"
    " FROM events e JOIN sessions s ON s.id = e.session_id LEFT JOIN agents a ON a.id = s.owner"
    " WHERE e.id = ?1"
)


@dataclass(frozen=True, slots=True)
class Terminal:
    """Where an agent runs: a pane of a tmux server, and that server's process if it is known."""

    agent: str
    socket: str
    pane: str
    server: int | None


@dataclass(frozen=True, slots=True)
class NotificationState:
    """How a session stands since an event.

    `open`: the user's own hooks have still to be heard of it. `over`: it went on, or has ended.
    """

    how: Literal["quiet", "open", "over"]
    terminal: Terminal | None = None


def notification_state(
    db: sqlite3.Connection, event: int, unless: Iterable[str]
) -> NotificationState:
    """Return how the session of an event stands; an event that was not kept is over."""
    row = db.execute(_STANDS, (event, json.dumps(tuple(unless)))).fetchone()
    if row is None:
        return NotificationState("over")
    decision, pending, ended, socket, pane, server, owner, later = row
    terminal = Terminal(owner, socket, pane, server) if socket and pane else None
    if later or ended is not None or decision == "block":
        return NotificationState("over", terminal)
    return NotificationState("open" if pending else "quiet", terminal)
