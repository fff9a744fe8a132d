"""Work items as facts."""

import json
import sqlite3

from hookd.core.work_items.model import MAX_ITEMS, Backlog, Listener, WorkItem
from hookd.store.facts.rows import Row, one

WORK_ITEM = (
    "SELECT id, title, state,"
    " (SELECT p.repository FROM projects p WHERE p.id = work_items.project_id),"
    " (SELECT json_group_array(d.after_id)"
    " FROM work_dependencies d JOIN work_items a ON a.id = d.after_id"
    " WHERE d.item_id = work_items.id AND a.state <> 'done'), wanted, conversation, session_id,"
    " agent, text, added_by, added_conversation, reason FROM work_items"
)
BACKLOG = (
    f"{WORK_ITEM} WHERE project_id IN (SELECT id FROM projects WHERE repository = ?)"  # noqa: S608
    " AND state <> 'done' ORDER BY id LIMIT ?"
)
# Who waits for an item: its adder, and the coordinator of the agent that had it.
_LISTENERS = (
    "SELECT s.claude_session_id, coalesce(s.owner, 'session ' || s.id) FROM work_items w"
    " JOIN sessions s ON s.claude_session_id = w.added_conversation"
    " WHERE w.id = ?1 AND s.ended_at IS NULL AND s.agent_id IS NULL"
    " UNION SELECT s.claude_session_id, s.owner FROM agents a JOIN sessions s ON s.owner = a.parent"
    " WHERE a.id = ?2 AND s.ended_at IS NULL AND s.agent_id IS NULL ORDER BY 1"
)


def as_work_item(row: Row) -> WorkItem:
    """Return a row of WORK_ITEM as a fact."""
    number, title, state, project, after, *rest = row
    return WorkItem(number, title, state, project, tuple(json.loads(after)), *rest)


def item(db: sqlite3.Connection, number: int) -> WorkItem | None:
    """Return a work item by its number."""
    row = one(db, f"{WORK_ITEM} WHERE id = ?", number)
    return as_work_item(row) if row else None


def item_of_key(db: sqlite3.Connection, key: str) -> WorkItem | None:
    """Return the work item that a call with this key has added."""
    row = one(db, f"{WORK_ITEM} WHERE key = ?", key)
    return as_work_item(row) if row else None


def backlog(db: sqlite3.Connection, repository: str) -> Backlog:
    """Return the unfinished work items of a repository."""
    items = tuple(map(as_work_item, db.execute(BACKLOG, (repository, MAX_ITEMS))))
    (number,) = db.execute("SELECT coalesce(max(id), 0) + 1 FROM work_items").fetchone()
    return Backlog(items, number)


def taken_by(db: sqlite3.Connection, conversation: str) -> tuple[WorkItem, ...]:
    """Return the work items that a conversation has taken."""
    sql = f"{WORK_ITEM} WHERE conversation = ? AND state = 'taken' ORDER BY id"
    return tuple(map(as_work_item, db.execute(sql, (conversation,))))


def listeners(db: sqlite3.Connection, number: int, agent: str | None) -> tuple[Listener, ...]:
    """Return the open conversations that wait for an item: its adder's and the coordinator's."""
    return tuple(Listener(*row) for row in db.execute(_LISTENERS, (number, agent)))


def open_owner(db: sqlite3.Connection, item: WorkItem) -> tuple[Listener, ...]:
    """Return the owner of an item, if a session of it is open."""
    found = one(
        db,
        "SELECT 1 FROM sessions WHERE claude_session_id = ? AND agent_id IS NULL"
        " AND ended_at IS NULL",
        item.conversation,
    )
    return (Listener(item.conversation, item.owner),) if found and item.conversation else ()
