"""Facts about mail of agents: one mail, who can get mail, and how much went between two."""

import json
import sqlite3
from typing import assert_never

from hookd.core.mail.waking import NAME as WAKING
from hookd.core.model.facts import FactValue
from hookd.core.model.mail import InboxItem, Mail, OpenAgent
from hookd.core.model.mail_requests import (
    InboxOf,
    MailById,
    MailByKey,
    MailRequest,
    MailTraffic,
    NextMail,
    OpenAgents,
)
from hookd.store.facts.rows import Row, one

_MAIL = (
    "SELECT id, thread_id, sender, sender_kind, sender_conversation, to_kind, recipient,"
    " conversations_json, (SELECT o.state FROM mail_overview o WHERE o.id = agent_mail.id),"
    " project_id, task_dir, reason, expires_at FROM agent_mail"
)
_OF_KEY = "WHERE key = ? AND coalesce(sender_conversation, '') = ?"
_AGENTS = (
    "SELECT s.id, s.claude_session_id, s.owner, s.client, p.repository, p.path,"
    " (SELECT e.task_dir FROM efforts e WHERE e.id = s.effort_id AND e.lifecycle = 'active'),"
    " s.status, s.client_version, s.messaging_socket,"
    " (SELECT json_extract(w.value_json, '$.seen') FROM policy_state w"
    "  WHERE w.session_id = s.id AND w.policy = ?1),"
    " s.tmux_pane IS NOT NULL AND s.tmux_socket IS NOT NULL AND s.client_process IS NOT NULL,"
    " (SELECT count(*) FROM injections i JOIN agent_mail m ON m.id = i.mail_id"
    "  WHERE i.session_id = s.id AND i.delivered_at IS NULL AND i.offered_at IS NULL"
    "  AND m.priority <> 'low')"
    " FROM sessions s LEFT JOIN projects p ON p.id = s.project_id"
    " WHERE s.ended_at IS NULL AND s.agent_id IS NULL ORDER BY s.id"
)
# Both directions count: a loop of two agents has both.
_TRAFFIC = (
    "SELECT other, count(*) FROM ("
    " SELECT coalesce(c.value, CASE WHEN m.channel <> 'hookd' THEN m.recipient"
    "   WHEN m.to_kind = 'task' THEN m.task_dir ELSE '@' || m.to_kind END) AS other"
    "  FROM agent_mail m LEFT JOIN json_each(m.conversations_json) c"
    "  WHERE m.created_at > ?3 AND m.sender_kind = 'agent' AND m.state <> 'dropped'"
    "  AND m.sender_conversation IS ?1 AND (?1 IS NOT NULL OR m.sender = ?2)"
    " UNION ALL SELECT m.sender_conversation"
    "  FROM agent_mail m JOIN json_each(m.conversations_json) c ON c.value = ?1"
    "  WHERE m.created_at > ?3 AND m.sender_kind = 'agent' AND m.state <> 'dropped'"
    "  AND m.sender_conversation IS NOT NULL"
    ") GROUP BY other ORDER BY other"
)

_ITEM = (
    "SELECT m.id, m.thread_id, m.reply_to, m.sender, m.sender_kind, m.sender_conversation,"
    " m.recipient, m.priority, m.channel, {state} AS state, m.text, m.framed, m.created_at,"
    " m.origin FROM agent_mail m"
)
_OF_INJECTION = (
    "CASE WHEN i.delivered_at IS NOT NULL THEN 'delivered' WHEN i.offered_at IS NOT NULL"
    " THEN 'offered' ELSE m.state END"
)
_CHOSEN = (
    "(?1 IS NULL OR m.id = ?1) AND (?2 IS NULL OR m.sender = ?2 COLLATE NOCASE"
    " OR m.sender_conversation = (SELECT x.claude_session_id FROM sessions x WHERE x.id = ?5))"
)
_LAST = "SELECT * FROM ({}) WHERE ?3 OR state = 'waiting' ORDER BY id DESC LIMIT ?4"
# The windows of a conversation are one recipient.
_OF_CONVERSATION = _LAST.format(
    f"{_ITEM.format(state=_OF_INJECTION)} JOIN injections i ON i.mail_id = m.id"
    " JOIN sessions s ON s.id = i.session_id"
    f" WHERE s.claude_session_id = ?6 AND {_CHOSEN} GROUP BY m.id"
)
_OF_PERSON = _LAST.format(
    f"{_ITEM.format(state='m.state')} WHERE m.to_kind = 'person' AND {_CHOSEN}"
)
_SENT = f"{_ITEM.format(state='m.state')} WHERE m.id = ?1 AND (?2 OR m.sender_conversation = ?3)"


def requested(db: sqlite3.Connection, want: MailRequest) -> FactValue | None:
    """Return what is requested of mail."""
    match want:
        case MailById():
            return _mail(one(db, f"{_MAIL} WHERE id = ?", want.id))
        case MailByKey():
            key = (want.key, want.conversation or "")
            return _mail(one(db, f"{_MAIL} {_OF_KEY}", *key))
        case NextMail():
            return next_mail(db)
        case OpenAgents():
            return open_agents(db)
        case MailTraffic():
            return traffic(db, want)
        case InboxOf():
            return inbox(db, want)
        case _:
            assert_never(want)


def _mail(row: Row | None) -> Mail | None:
    if row is None:
        return None
    values = list(row)
    values[7] = tuple(json.loads(values[7]))
    return Mail(*values)


def next_mail(db: sqlite3.Connection) -> int:
    """Return the number of the next mail."""
    (number,) = db.execute("SELECT coalesce(max(id), 0) + 1 FROM agent_mail").fetchone()
    return int(number)


def inbox(db: sqlite3.Connection, want: InboxOf) -> tuple[InboxItem, ...]:
    """Return the mail of a conversation, or to the person, the oldest first."""
    every = want.every or want.id is not None
    args = (want.id, want.sender, every, want.limit, want.sender_session)
    if want.conversation is None:
        rows = db.execute(_OF_PERSON, args).fetchall()
    else:
        rows = db.execute(_OF_CONVERSATION, (*args, want.conversation)).fetchall()
    if not rows and want.id is not None:
        rows = db.execute(_SENT, (want.id, want.person, want.conversation)).fetchall()
    return tuple(InboxItem(*row) for row in reversed(rows))


def open_agents(db: sqlite3.Connection) -> tuple[OpenAgent, ...]:
    """Return all open windows but those of subagents."""
    return tuple(OpenAgent(*row) for row in db.execute(_AGENTS, (WAKING,)))


def traffic(db: sqlite3.Connection, want: MailTraffic) -> tuple[tuple[str, int], ...]:
    """Return how much mail went between a sender and each other conversation."""
    rows = db.execute(_TRAFFIC, (want.conversation, want.sender, want.since))
    return tuple((str(other), int(count)) for other, count in rows)
