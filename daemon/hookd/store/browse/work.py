"""Work: efforts with their phases and sessions, handovers, and work items."""

from sqlite3 import Connection
from typing import Any

from hookd.store.browse.page import Page, page_of
from hookd.store.browse.sessions import parsed

_NEWEST = 2**63 - 1

_EFFORTS = (
    "SELECT e.id, e.skill, e.mode, e.ordinal, e.lifecycle, e.current_phase AS currentPhase,"
    " e.task_dir AS task, t.title, p.path AS project, (SELECT a.id FROM agents a"
    "  WHERE a.effort_id = e.id ORDER BY a.status_at DESC LIMIT 1) AS agent,"
    " (SELECT count(*) FROM sessions s WHERE s.effort_id = e.id) AS sessions,"
    " e.created_at AS createdAt, e.finished_at AS finishedAt FROM efforts e"
    " JOIN tasks t ON t.task_dir = e.task_dir LEFT JOIN projects p ON p.id = e.project_id"
)
_LISTED = (
    f"{_EFFORTS} WHERE e.id < :before AND (:project IS NULL OR p.path = :project)"
    " AND (:lifecycle IS NULL OR e.lifecycle = :lifecycle) ORDER BY e.id DESC LIMIT :most"
)
_ONE = f"{_EFFORTS} WHERE e.id = ?"
_PHASES = (
    "SELECT phase_label AS phase, reason, proof_json AS proof, created_at AS createdAt"
    " FROM phase_history WHERE effort_id = ? ORDER BY id LIMIT 1000"
)
_SESSIONS = (
    "SELECT id, owner AS agent, agent_id AS agentId, first_prompt AS firstPrompt, status,"
    " context_usage AS contextUsage, cost, tool_calls AS toolCalls, created_at AS createdAt,"
    " ended_at AS endedAt, end_reason AS endReason FROM sessions WHERE effort_id = ?"
    " ORDER BY id DESC LIMIT 200"
)
_HANDOVERS = (
    "SELECT s.id AS sessionId, s.owner AS agent, p.path AS project, s.effort_id AS effortId,"
    " e.skill, e.task_dir AS task, s.handover_at AS at, s.handover_offers AS offers,"
    " s.handover_delivered_at AS deliveredAt, s.handover_json AS handover FROM sessions s"
    " LEFT JOIN projects p ON p.id = s.project_id LEFT JOIN efforts e ON e.id = s.effort_id"
    " WHERE s.handover_json IS NOT NULL AND s.id < ? ORDER BY s.id DESC LIMIT ?"
)

_ITEMS = (
    "SELECT id, state, title, text, project, agent, session_id AS sessionId, wanted,"
    " added_by AS addedBy, reason, result, waits_for_json AS waitsFor, ready,"
    " lease_until AS leaseUntil, created_at AS createdAt, taken_at AS takenAt, done_at AS doneAt"
    " FROM work_overview WHERE id < :before AND (:project IS NULL OR repository ="
    "  coalesce((SELECT p.repository FROM projects p WHERE p.path = :project), :project))"
    " AND (:state IS NULL OR state = :state) ORDER BY id DESC LIMIT :most"
)


def efforts(
    db: Connection,
    project: str | None = None,
    lifecycle: str | None = None,
    before: int | None = None,
    limit: int = 50,
) -> Page:
    """Return efforts, the newest first; `lifecycle` is active or finished."""
    args = {
        "project": project,
        "lifecycle": lifecycle,
        "before": _NEWEST if before is None else before,
        "most": limit + 1,
    }
    return page_of(db.execute(_LISTED, args).fetchall(), limit)


def effort(db: Connection, number: int) -> dict[str, Any] | None:
    """Return an effort with its `phases` and its `windows` (sessions); None if there is none."""
    found: dict[str, Any] | None = db.execute(_ONE, (number,)).fetchone()
    if found is None:
        return None
    phases = db.execute(_PHASES, (number,)).fetchall()
    found["phases"] = [row | {"proof": parsed(row["proof"])} for row in phases]
    found["windows"] = db.execute(_SESSIONS, (number,)).fetchall()
    return found


def handovers(db: Connection, before: int | None = None, limit: int = 50) -> Page:
    """Return handovers, those of the newest sessions first; `handover` is its parsed JSON."""
    newest = _NEWEST if before is None else before
    rows = db.execute(_HANDOVERS, (newest, limit + 1)).fetchall()
    found = [row | {"handover": parsed(row["handover"])} for row in rows]
    return page_of(found, limit, "sessionId")


def items(
    db: Connection,
    project: str | None = None,
    state: str | None = None,
    before: int | None = None,
    limit: int = 50,
) -> Page:
    """Return work items, the newest first; `waitsFor` are numbers of unfinished items."""
    args = {
        "project": project,
        "state": state,
        "before": _NEWEST if before is None else before,
        "most": limit + 1,
    }
    rows = db.execute(_ITEMS, args).fetchall()
    return page_of([row | {"waitsFor": parsed(row["waitsFor"])} for row in rows], limit)
