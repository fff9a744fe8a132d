"""Writing claims, and the states of files that conversations have seen."""

import json
import sqlite3
from typing import assert_never

from hookd.core.model.claim import MAX_HASHED_BYTES, Stamp
from hookd.core.model.effects.claims import (
    AddClaim,
    ConfirmViews,
    EndClaims,
    ExtendClaim,
    KeepView,
)
from hookd.core.model.effects.union import ClaimEffect
from hookd.redaction.redact import redact
from hookd.store.writes.statements import Statement, columns

SESSION_ENDED = (
    "UPDATE claims SET released_at = ?1, released_by = 'session' WHERE released_at IS NULL"
    " AND conversation IN"
    "  (SELECT claude_session_id FROM sessions WHERE id = ?2 AND agent_id IS NULL)"
    " AND NOT EXISTS (SELECT 1 FROM sessions o WHERE o.claude_session_id = claims.conversation"
    "  AND o.agent_id IS NULL AND o.ended_at IS NULL)"
)
"""Ends the claims of a conversation whose last session has ended: time, session."""

WITHOUT_SESSION = (
    "UPDATE claims SET released_at = ?1, released_by = 'session' WHERE released_at IS NULL"
    " AND conversation <> '' AND conversation NOT LIKE '@%'"
    " AND NOT EXISTS (SELECT 1 FROM sessions o"
    "  WHERE o.claude_session_id = claims.conversation AND o.agent_id IS NULL"
    "  AND o.ended_at IS NULL)"
)
"""Ends the claims of all conversations without an open session."""

_EXPIRED = (
    "UPDATE claims SET released_at = expires_at, released_by = 'time'"
    " WHERE released_at IS NULL AND expires_at <= ?"
)
_UNHASHED = (
    "SELECT path, size, mtime_ns, inode FROM file_views"
    " WHERE conversation = ? AND call = '' AND sha256 IS NULL AND size <= ? LIMIT 100"
)
_HASHED = (
    "UPDATE file_views SET sha256 = ? WHERE conversation = ? AND call = '' AND path = ?"
    " AND size = ? AND mtime_ns = ? AND inode = ?"
)

_CONFIRMED = (
    "UPDATE OR REPLACE file_views AS new SET call = '', at = ?, opened = max(opened, coalesce("
    "(SELECT old.opened FROM file_views old WHERE old.conversation = new.conversation"
    " AND old.call = '' AND old.path = new.path), 0)) WHERE conversation = ? AND call = ?"
)
_KEPT = (
    " ON CONFLICT (conversation, call, path) DO UPDATE SET session_id = excluded.session_id,"
    " size = excluded.size, mtime_ns = excluded.mtime_ns, inode = excluded.inode, sha256 = NULL,"
    " at = excluded.at, opened = max(opened, excluded.opened)"
)


def statements(effect: ClaimEffect, at: str) -> tuple[Statement, ...]:
    """Return what writes one effect."""
    match effect:
        case AddClaim():
            return (_add(effect, at),)
        case ExtendClaim():
            sql = "UPDATE claims SET expires_at = ?, why = coalesce(?, why) WHERE id = ?"
            why = redact(effect.why) if effect.why else None
            return ((sql, (effect.expires_at, why, effect.id)),)
        case EndClaims():
            sql = (
                "UPDATE claims SET released_at = ?, released_by = ? WHERE released_at IS NULL"
                " AND id IN (SELECT value FROM json_each(?))"
            )
            return ((sql, (at, effect.by, json.dumps(effect.ids))),)
        case KeepView():
            return (_keep(effect, at),)
        case ConfirmViews():
            return ((_CONFIRMED, (at, effect.conversation, effect.call)),)
        case _:
            assert_never(effect)


def end_overdue(db: sqlite3.Connection, at: str) -> int:
    """End the claims whose time has passed, or whose holder has no session; return how many."""
    done = db.execute(_EXPIRED, (at,)).rowcount + db.execute(WITHOUT_SESSION, (at,)).rowcount
    return max(0, done)


def unhashed(db: sqlite3.Connection, conversation: str) -> tuple[tuple[str, Stamp], ...]:
    """Return files that a conversation sees whose hashes are not known, with their states."""
    rows = db.execute(_UNHASHED, (conversation, MAX_HASHED_BYTES))
    return tuple((path, Stamp(*stamp)) for path, *stamp in rows)


def keep_hash(
    db: sqlite3.Connection, conversation: str, path: str, stamp: Stamp, digest: str
) -> None:
    """Store the hash of a file's content, if the conversation still sees it in that state."""
    state = (stamp.size, stamp.mtime_ns, stamp.inode)
    db.execute(_HASHED, (digest, conversation, path, *state))


def _add(effect: AddClaim, at: str) -> Statement:
    values = {
        "project_id": effect.project_id,
        "root": redact(effect.root),
        "kind": effect.kind,
        "pattern": redact(effect.pattern),
        "conversation": effect.conversation,
        "session_id": effect.session_id,
        "agent": redact(effect.agent) if effect.agent else None,
        "why": redact(effect.why) if effect.why else None,
        "automatic": effect.automatic,
        "created_at": at,
        "expires_at": effect.expires_at,
    }
    return columns("claims", values)


def _keep(effect: KeepView, at: str) -> Statement:
    values = {
        "conversation": effect.conversation,
        "call": effect.call,
        "path": redact(effect.path),
        "session_id": effect.session_id,
        "size": effect.stamp.size,
        "mtime_ns": effect.stamp.mtime_ns,
        "inode": effect.stamp.inode,
        "at": at,
        "opened": effect.opened,
    }
    sql, given = columns("file_views", values)
    return sql + _KEPT, given
