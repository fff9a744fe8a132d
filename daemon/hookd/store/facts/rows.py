"""Rows as facts: the columns that are read, and what they become."""

import json
import sqlite3
from functools import lru_cache
from typing import Any

from hookd.core.model.facts import Effort, Injection, Session
from hookd.core.model.origin import Origin

Row = tuple[Any, ...]

SESSION = (
    "SELECT id, claude_session_id, agent_id, owner, project_id, effort_id, parent_session_id,"
    " source, heartbeat_counter, last_counted, context_usage, loaded_files_json, ended_at,"
    " preloaded_files_json, touched_dirs_json, tool_calls, handover_json IS NOT NULL,"
    " own_effort, cost, model, window_tokens, context_source, run, added_dirs_json,"
    " coalesce((SELECT p.status FROM sessions p WHERE p.id = sessions.parent_session_id), status),"
    " branch, first_prompt,"
    " EXISTS (SELECT 1 FROM projects p JOIN projects q ON q.repository = p.repository"
    "  JOIN sessions o ON o.project_id = q.id WHERE p.id = sessions.project_id"
    "  AND o.ended_at IS NULL AND o.claude_session_id <> sessions.claude_session_id),"
    "EXISTS (SELECT 1 FROM claims c WHERE c.released_at IS NULL AND c.automatic = 0"
    "  AND c.conversation <> sessions.claude_session_id) FROM sessions "
)
EFFORT = (
    "SELECT id, task_dir, skill, ordinal, mode, lifecycle, current_phase, project_id,"
    " metadata_json, discovered_directives_json,"
    " (SELECT a.id FROM agents a WHERE a.effort_id = efforts.id ORDER BY a.id LIMIT 1),"
    " starter_json FROM efforts "
)

INJECTION = (
    "SELECT id, source, content, path, offered_at IS NOT NULL, offers,"
    " (SELECT priority FROM agent_mail WHERE agent_mail.id = mail_id) FROM injections"
)


def one(db: sqlite3.Connection, sql: str, *args: object) -> Row | None:
    """Return the first row that a statement finds, or None."""
    row: Row | None = db.execute(sql, args).fetchone()
    return row


def as_session(row: Row | None) -> Session | None:
    """Return a row of SESSION as a fact."""
    if row is None:
        return None
    values = list(row)
    for place in (11, 13, 14, 23):
        values[place] = _texts(values[place])
    for place in (16, 17, 27, 28):
        values[place] = bool(values[place])
    return Session(*values)


def as_injection(row: Row) -> Injection:
    """Return a row of INJECTION as a fact."""
    number, rule_id, content, path, offered, offers, priority = row
    return Injection(number, rule_id, content, path, bool(offered), offers, priority or "normal")


def as_effort(row: Row | None) -> Effort | None:
    """Return a row of EFFORT as a fact."""
    if row is None:
        return None
    values = list(row)
    values[8], values[9] = json.loads(values[8]), _texts(values[9])
    values[11] = Origin(**json.loads(values[11])) if values[11] else None
    return Effort(*values)


@lru_cache(maxsize=128)
def _texts(column: str) -> tuple[str, ...]:
    """Return a list of texts. A long window's lists are the same for many events in a row."""
    return tuple(json.loads(column))
