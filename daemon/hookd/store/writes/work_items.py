"""Writing what happens to work items, and returning those whose owner is lost."""

import sqlite3
from typing import assert_never

from hookd.core.mail.frame import clean_text
from hookd.core.model.effects.union import WorkEffect
from hookd.core.model.effects.work_items import (
    AddWorkItem,
    BlockWorkItem,
    FinishWorkItem,
    MoveWorkItems,
    ReleaseWorkItem,
    TakeWorkItem,
)
from hookd.core.work_items.model import WorkItem
from hookd.redaction.redact import redact
from hookd.store.facts.work_items import WORK_ITEM, as_work_item
from hookd.store.writes.statements import Statement, columns

_DEPEND = "INSERT OR IGNORE INTO work_dependencies (item_id, after_id) VALUES (?, ?)"
_TAKE = (
    "UPDATE work_items SET state = 'taken', conversation = ?, session_id = ?, agent = ?,"
    " lease_s = ?, taken_at = ?, reason = NULL WHERE id = ? AND state = 'open'"
)
_NO_OWNER = "conversation = NULL, session_id = NULL, agent = NULL, taken_at = NULL"
# A call of an open session that was not denied and has no event of its end: a long command. It
# keeps the items of its conversation for 6 hours.
_CALL_RUNS = (
    "SELECT 1 FROM sessions s JOIN events e ON e.session_id = s.id"
    " WHERE s.claude_session_id = work_items.conversation AND s.ended_at IS NULL"
    " AND e.event = 'PreToolUse' AND e.decision IS NOT 'deny'"
    " AND e.at > strftime('%Y-%m-%dT%H:%M:%fZ', ?1, '-6 hours')"
    " AND e.id > coalesce((SELECT max(t.id) FROM events t WHERE t.session_id = s.id"
    " AND t.event IN ('UserPromptSubmit', 'Stop', 'StopFailure', 'SubagentStop')), 0)"
    " AND NOT EXISTS (SELECT 1 FROM events p WHERE p.session_id = s.id AND p.id > e.id"
    " AND p.tool_use_id IS e.tool_use_id)"
)
_LAPSED = (
    f"{WORK_ITEM} WHERE state = 'taken' AND max(taken_at, ?2,"  # noqa: S608 - constants
    " coalesce((SELECT max(s.last_event_at) FROM sessions s"
    " WHERE s.claude_session_id = work_items.conversation), ''))"
    " < strftime('%Y-%m-%dT%H:%M:%fZ', ?1, '-' || lease_s || ' seconds')"
    f" AND NOT EXISTS ({_CALL_RUNS}) ORDER BY id"
)


def statements(effect: WorkEffect, at: str) -> tuple[Statement, ...]:
    """Return what writes one effect."""
    match effect:
        case AddWorkItem():
            return _add(effect, at)
        case TakeWorkItem():
            owner = (effect.conversation, effect.session_id, _safe(effect.agent))
            return ((_TAKE, (*owner, effect.lease_s, at, effect.id)),)
        case FinishWorkItem():
            sql = "UPDATE work_items SET state = 'done', result = ?, done_at = ? WHERE id = ?"
            return ((sql, (_safe(effect.result), at, effect.id)),)
        case BlockWorkItem():
            return _block(effect)
        case ReleaseWorkItem():
            sql = f"UPDATE work_items SET state = 'open', reason = ?, {_NO_OWNER} WHERE id = ?"  # noqa: S608
            return ((sql, (_safe(effect.reason), effect.id)),)
        case MoveWorkItems():
            sql = (
                "UPDATE work_items SET conversation = ?, session_id = ?"
                " WHERE conversation = ? AND state = 'taken'"
            )
            return ((sql, (effect.to, effect.session_id, effect.conversation)),)
        case _:
            assert_never(effect)


def lapsed(db: sqlite3.Connection, at: str, since: str) -> tuple[WorkItem, ...]:
    """Return the taken items whose owner sent no event for the time of their lease.

    The time before `since` does not count: hookd could not receive events then. A call that still
    runs keeps an item for hours.
    """
    return tuple(map(as_work_item, db.execute(_LAPSED, (at, since))))


def _add(effect: AddWorkItem, at: str) -> tuple[Statement, ...]:
    values = {
        "id": effect.id,
        "project_id": effect.project_id,
        "title": _safe(effect.title),
        "text": _safe(effect.text),
        "wanted": _safe(effect.wanted),
        "added_by": _safe(effect.added_by),
        "added_conversation": effect.added_conversation,
        "added_session_id": effect.added_session_id,
        "created_at": at,
        "key": effect.key,
    }
    after = ((_DEPEND, (effect.id, number)) for number in effect.after)
    before = ((_DEPEND, (number, effect.id)) for number in effect.before)
    return (columns("work_items", values), *after, *before)


def _block(effect: BlockWorkItem) -> tuple[Statement, ...]:
    state = "open" if effect.after else "blocked"
    sql = f"UPDATE work_items SET state = ?, reason = ?, {_NO_OWNER} WHERE id = ?"  # noqa: S608
    after = ((_DEPEND, (effect.id, number)) for number in effect.after)
    return ((sql, (state, _safe(effect.reason), effect.id)), *after)


def _safe(text: str | None) -> str | None:
    return None if text is None else redact(clean_text(text))
