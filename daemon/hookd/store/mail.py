"""Queries of the maintenance and of waking about mail of agents."""

import sqlite3

from hookd.core.model.mail import OverdueMail
from hookd.lazy_dataclass import dataclass

_OVERDUE = (
    "SELECT m.id, m.sender, m.sender_kind, m.sender_conversation, m.recipient, m.state,"
    " (SELECT count(*) FROM injections i WHERE i.mail_id = m.id),"
    " (SELECT count(i.delivered_at) FROM injections i WHERE i.mail_id = m.id)"
    " FROM agent_mail m WHERE m.state IN ('waiting', 'held') AND m.expires_at <= ?"
    " ORDER BY m.id LIMIT ?"
)
# Mail to a task may have no recipient yet.
_COUNTS = (
    "SELECT coalesce(sum(waits), 0), coalesce(sum(state = 'waiting' AND to_kind = 'person'), 0),"
    " coalesce(sum(state = 'held'), 0), coalesce(sum(waits AND NOT EXISTS (SELECT 1"
    "  FROM injections i JOIN sessions s ON s.id = i.session_id WHERE i.mail_id = found.id"
    "  AND i.delivered_at IS NULL AND s.ended_at IS NULL)), 0)"
    " FROM (SELECT id, state, to_kind, state = 'waiting' AND to_kind <> 'person'"
    "  AND (EXISTS (SELECT 1 FROM injections i WHERE i.mail_id = m.id AND i.delivered_at IS NULL)"
    "   OR NOT EXISTS (SELECT 1 FROM injections i WHERE i.mail_id = m.id)) AS waits"
    " FROM agent_mail m WHERE state IN ('waiting', 'held')) found"
)


_IDLE = (
    "SELECT s.id, s.tmux_socket, s.tmux_pane, s.tmux_server, s.client_process FROM sessions s"
    " WHERE s.ended_at IS NULL AND s.agent_id IS NULL AND s.tmux_pane IS NOT NULL"
    " AND s.tmux_socket IS NOT NULL AND s.client_process IS NOT NULL"
    " AND s.status IN ('idle', 'done', 'checked') AND EXISTS (SELECT 1 FROM injections i"
    "  WHERE i.session_id = s.id AND i.delivered_at IS NULL AND i.offered_at IS NULL"
    "  AND i.offers < 3 AND i.mail_id IS NOT NULL) ORDER BY s.id"
)


@dataclass(frozen=True, slots=True)
class IdleWindow:
    """An idle session in tmux that mail waits for; `client` is its process as PID:START."""

    id: int
    socket: str
    pane: str
    server: int | None
    client: str


def idle_windows(db: sqlite3.Connection) -> tuple[IdleWindow, ...]:
    """Return the idle sessions in tmux that mail waits for."""
    return tuple(IdleWindow(*row) for row in db.execute(_IDLE))


def mail_counts(db: sqlite3.Connection) -> dict[str, int]:
    """Return how much mail was not delivered, waits for the person to read it, and is held.

    `unreachable` is how much of the first no open session gets.
    """
    names = ("waiting", "for_you", "held", "unreachable")
    return dict(zip(names, db.execute(_COUNTS).fetchone(), strict=True))


def overdue_mail(db: sqlite3.Connection, at: str, most: int) -> tuple[OverdueMail, ...]:
    """Return the mail whose time is over, the oldest first, at most so many."""
    return tuple(OverdueMail(*row) for row in db.execute(_OVERDUE, (at, most)))
