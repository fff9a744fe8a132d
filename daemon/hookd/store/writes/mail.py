"""Writing mail of agents: a mail, and an injection for each window that is to get it.

A mail to a conversation is queued for its last window, open or not, and only once.
"""

import json
import sqlite3
from typing import assert_never

from hookd.core.mail.frame import Framed, clean_text, frame
from hookd.core.model.effects.mail import (
    DropMail,
    ExpireMail,
    MoveMail,
    QueueTaskMail,
    ReadMail,
    ReleaseMail,
    SendMail,
    SettleMail,
)
from hookd.core.model.effects.union import MailEffect
from hookd.core.model.mail import INJECTION_SOURCE
from hookd.redaction.redact import redact
from hookd.store.writes.statements import columns

# A conversation that has had it gets it no second time, whatever its windows.
_NEW = (
    "NOT EXISTS (SELECT 1 FROM injections i JOIN sessions had ON had.id = i.session_id"
    " WHERE i.mail_id = m.id AND had.claude_session_id = s.claude_session_id)"
)
_INSERT = "INSERT INTO injections (session_id, source, content, created_at, mail_id) "
_QUEUE = (
    f"{_INSERT} SELECT s.id, ?2, m.framed, ?3, m.id FROM agent_mail m"  # noqa: S608 - constants
    " JOIN json_each(m.conversations_json) c JOIN sessions s ON s.id = (SELECT max(x.id)"
    "  FROM sessions x WHERE x.claude_session_id = c.value AND x.agent_id IS NULL)"
    f" WHERE m.id = ?1 AND {_NEW} GROUP BY s.id ORDER BY min(c.key)"
)
_QUEUE_FOR_TASK = (
    f"{_INSERT} SELECT s.id, ?3, m.framed, ?4, m.id FROM agent_mail m"  # noqa: S608 - constants
    " JOIN sessions s ON s.id = ?1 WHERE m.task_dir = ?2 AND m.state = 'waiting'"
    " AND m.to_kind = 'task' AND m.expires_at > ?4 AND s.agent_id IS NULL"
    " AND (?5 OR m.sender_kind = 'person' OR m.project_id IS s.project_id"
    "  OR (SELECT repository FROM projects WHERE id = m.project_id)"
    "   = (SELECT repository FROM projects WHERE id = s.project_id))"
    f" AND m.sender_conversation IS NOT s.claude_session_id AND {_NEW} ORDER BY m.id"
)
# Mail to a peer, an agent of another host: the sync process signs it and sends it.
_TO_PEER = (
    "SELECT 1 FROM agent_mail WHERE id = ? AND json_extract(conversations_json, '$[0]') LIKE '@%'"
)
_SEND_TO_PEER = (
    "INSERT INTO outbox (kind, row_id, at, body) SELECT 'mail', m.id, ?2, json_object("
    "'mail', m.id, 'to', m.recipient, 'text', m.text, 'sender', m.sender,"
    " 'sender_kind', m.sender_kind, 'priority', m.priority, 'expires_at', m.expires_at)"
    " FROM agent_mail m, fleet_membership f WHERE m.id = ?1 AND f.leaving = 0"
)
# What was offered may be read already; all else is taken back.
_TAKE_BACK = (
    "DELETE FROM injections WHERE mail_id = ? AND delivered_at IS NULL AND offered_at IS NULL"
)
_MOVE = (
    "UPDATE injections SET session_id = ?2, offered_at = NULL WHERE session_id = ?1"
    " AND mail_id IS NOT NULL AND delivered_at IS NULL"
)
_READ = (
    "UPDATE injections SET delivered_at = ?1, offered_at = coalesce(offered_at, ?1)"
    " WHERE session_id = ?2 AND delivered_at IS NULL"
    " AND mail_id IN (SELECT value FROM json_each(?3))"
)
_READ_BY_PERSON = (
    "UPDATE agent_mail SET state = 'delivered' WHERE state = 'waiting' AND to_kind = 'person'"
    " AND id IN (SELECT value FROM json_each(?))"
)


def write(db: sqlite3.Connection, effect: MailEffect, at: str) -> None:
    """Write one effect, at the time `at`."""
    match effect:
        case SendMail():
            _send(db, effect, at)
        case ReleaseMail():
            sql = "UPDATE agent_mail SET state = 'waiting', expires_at = ? WHERE id = ?"
            db.execute(sql, (effect.expires_at, effect.id))
            _queue(db, effect.id, at)
        case DropMail():
            db.execute("UPDATE agent_mail SET state = 'dropped' WHERE id = ?", (effect.id,))
            db.execute(_TAKE_BACK, (effect.id,))
        case ExpireMail():
            db.execute("UPDATE agent_mail SET state = 'expired' WHERE id = ?", (effect.id,))
            db.execute(_TAKE_BACK, (effect.id,))
        case SettleMail():
            db.execute("UPDATE agent_mail SET state = 'delivered' WHERE id = ?", (effect.id,))
        case QueueTaskMail():
            args = (effect.session_id, effect.task_dir, INJECTION_SOURCE, at)
            db.execute(_QUEUE_FOR_TASK, (*args, effect.across_projects))
        case MoveMail():
            db.execute(_MOVE, (effect.session_id, effect.to))
        case ReadMail() if effect.session_id is None:
            db.execute(_READ_BY_PERSON, (json.dumps(effect.ids),))
        case ReadMail():
            db.execute(_READ, (at, effect.session_id, json.dumps(effect.ids)))
        case _:
            assert_never(effect)


def _send(db: sqlite3.Connection, effect: SendMail, at: str) -> None:
    """Store a mail with its frame, and queue it unless it is held or only recorded."""
    (number,) = db.execute("SELECT coalesce(max(id), 0) + 1 FROM agent_mail").fetchone()
    thread = db.execute(
        "SELECT thread_id FROM agent_mail WHERE id = ?", (effect.reply_to,)
    ).fetchone()
    text = redact(clean_text(effect.text))
    sender = redact(effect.sender)
    framed = Framed(number, sender, effect.sender_kind, effect.origin, text)
    state = "held" if effect.held else ("waiting" if effect.channel == "hookd" else "sent")
    values = {
        "id": number,
        "thread_id": thread[0] if thread else number,
        "reply_to": effect.reply_to,
        "sender_session_id": effect.sender_session_id,
        "sender_conversation": effect.sender_conversation,
        "sender": sender,
        "sender_kind": effect.sender_kind,
        "origin": effect.origin,
        "to_kind": effect.to_kind,
        "recipient": redact(effect.recipient),
        "conversations_json": json.dumps(effect.conversations),
        "project_id": effect.project_id,
        "task_dir": effect.task_dir,
        "text": text,
        "framed": frame(framed, effect.max_bytes),
        "priority": effect.priority,
        "channel": effect.channel,
        "state": state,
        "reason": effect.held or None,
        "created_at": at,
        "expires_at": effect.expires_at,
        "key": effect.key,
    }
    db.execute(*columns("agent_mail", values))
    if state == "waiting":
        _queue(db, number, at)


def _queue(db: sqlite3.Connection, number: int, at: str) -> None:
    """Queue a mail for its recipients here, or for the sync process."""
    if db.execute(_TO_PEER, (number,)).fetchone() is None:
        db.execute(_QUEUE, (number, INJECTION_SOURCE, at))
        return
    db.execute(_SEND_TO_PEER, (number, at))
    db.execute("UPDATE agent_mail SET state = 'sent' WHERE id = ?", (number,))
