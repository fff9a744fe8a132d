"""Sessions: a list with filters, one session, and the rows of its time line."""

import json
from collections.abc import Mapping
from sqlite3 import Connection
from typing import Any

from hookd.display.event_subject import payload_line
from hookd.lazy_dataclass import dataclass
from hookd.store.browse.page import Page, Rows, page_of

_MAX_TEXT_CHARS = 400
"""Characters of an event's call that a time line has."""

_COLUMNS = (
    "s.id, s.claude_session_id AS claudeSessionId, s.agent_id AS agentId,"
    " s.agent_type AS agentType,"
    " s.owner AS agent, p.path AS project, s.effort_id AS effortId, e.skill, e.task_dir AS task,"
    " e.current_phase AS currentPhase, s.source, s.model, s.client,"
    " s.client_version AS clientVersion, s.cwd, s.branch, s.first_prompt AS firstPrompt, s.status,"
    " s.status_at AS statusAt, s.context_usage AS contextUsage, s.context_source AS contextSource,"
    " s.window_tokens AS windowTokens, s.cost, s.tool_calls AS toolCalls,"
    " s.heartbeat_counter AS heartbeatCounter, s.parent_session_id AS parentSessionId,"
    " s.prev_session_id AS prevSessionId, s.run, s.pid, s.transcript_path AS transcriptPath,"
    " s.handover_at AS handoverAt, s.handover_delivered_at AS handoverDeliveredAt,"
    " s.handover_offers AS handoverOffers, s.created_at AS createdAt,"
    " s.last_event_at AS lastEventAt, s.ended_at AS endedAt, s.end_reason AS endReason"
)
_FROM = (
    " FROM sessions s LEFT JOIN projects p ON p.id = s.project_id"
    " LEFT JOIN efforts e ON e.id = s.effort_id"
)


@dataclass(frozen=True, slots=True)
class SessionFilter:
    """Which sessions; None and "" set no condition. `text` is part of the first prompt.

    `subagents`: include the runs of subagents. `open`: those that have not ended, or the others.
    """

    agent: str | None = None
    project: str | None = None
    status: str | None = None
    task: str | None = None
    text: str | None = None
    open: bool | None = None
    subagents: bool = False


def page(db: Connection, wanted: SessionFilter, before: int | None = None, limit: int = 50) -> Page:
    """Return sessions, the newest first, those with a lower number than `before`."""
    tests: list[str] = ["s.id < :before"] if before is not None else []
    tests += [test for name, test in _TESTS.items() if getattr(wanted, name)]
    if wanted.open is not None:
        tests.append(f"s.ended_at IS {'' if wanted.open else 'NOT '}NULL")
    if not wanted.subagents:
        tests.append("s.agent_id IS NULL")
    sql = (
        f"SELECT {_COLUMNS}{_FROM} WHERE {' AND '.join(tests) or 1} ORDER BY s.id DESC LIMIT :most"
    )
    args = {
        "before": before,
        "agent": wanted.agent,
        "project": wanted.project,
        "status": wanted.status,
        "task": wanted.task,
        "text": like(wanted.text or ""),
        "most": limit + 1,
    }
    return page_of(db.execute(sql, args).fetchall(), limit)


_TESTS = {
    "agent": "s.owner = :agent",
    "project": "s.project_id = (SELECT id FROM projects WHERE path = :project)",
    "status": "s.status = :status",
    "task": "e.task_dir = :task",
    "text": r"s.first_prompt LIKE :text ESCAPE '\'",
}
"""The condition of each field of a filter."""


def like(text: str) -> str:
    """Return the pattern of LIKE with the escape character backslash for any text with `text`."""
    for special in ("\\", "%", "_"):
        text = text.replace(special, f"\\{special}")
    return f"%{text}%"


def one(db: Connection, number: int) -> dict[str, Any] | None:
    """Return a session with its neighbours and its handover, None if there is none.

    `subagents` are the runs of subagents in it, `next` the sessions that followed it.
    """
    sql = f"SELECT {_COLUMNS}, s.handover_json AS handover{_FROM} WHERE s.id = ?"
    found: dict[str, Any] | None = db.execute(sql, (number,)).fetchone()
    if found is None:
        return None
    found["handover"] = parsed(found["handover"])
    found["subagents"] = db.execute(_SUBAGENTS, (number,)).fetchall()
    found["next"] = [row["id"] for row in db.execute(_NEXT, (number,))]
    return found


_SUBAGENTS = (
    "SELECT id, agent_id AS agentId, agent_type AS agentType, status, tool_calls AS toolCalls,"
    " created_at AS createdAt, ended_at AS endedAt, end_reason AS endReason FROM sessions"
    " WHERE parent_session_id = ? ORDER BY id LIMIT 500"
)
_NEXT = (
    "SELECT n.id FROM sessions s JOIN sessions n ON n.claude_session_id = s.claude_session_id"
    " WHERE s.id = ? AND n.prev_session_id = s.id ORDER BY n.id LIMIT 20"
)


def parsed(text: str | None) -> Any:
    """Return the value of a JSON text, None for None; the text itself if it is no JSON."""
    try:
        return None if text is None else json.loads(text)
    except ValueError:
        return text


@dataclass(frozen=True, slots=True)
class SessionRows:
    """The rows of one page of a time line: its events, and what belongs to their time.

    `events` are the oldest first. `before` is the number of an event: those before it are on the
    next page; None at the beginning of the session.
    """

    events: Rows
    messages: Rows
    injections: Rows
    hook_runs: Rows
    approvals: Rows
    before: int | None


def time_line(
    db: Connection, number: int, before: int | None = None, limit: int = 200
) -> SessionRows:
    """Return the last `limit` events of a session before the event `before`, and their rows."""
    newest = before if before is not None else 2**63 - 1
    found = page_of(db.execute(_EVENTS, (number, newest, limit + 1)).fetchall(), limit)
    events = [_event(row) for row in reversed(found.rows)]
    since = events[0]["at"] if events and found.before is not None else ""
    until = _END if before is None else _time_of(db, before)
    numbers = json.dumps([event["id"] for event in events])
    injections = db.execute(_INJECTIONS, (numbers,)).fetchall()
    if before is None:
        injections += db.execute(_WAITING, (number,)).fetchall()
    return SessionRows(
        events,
        db.execute(_MESSAGES, (number, since, until, limit)).fetchall(),
        injections,
        db.execute(_HOOK_RUNS, (numbers,)).fetchall(),
        db.execute(_APPROVALS, (numbers,)).fetchall(),
        found.before,
    )


_END = "9999"
"""A time after all others."""

_EVENTS = (
    "SELECT id, at, event, agent_id AS agentId, tool_name AS toolName,"
    " tool_use_id AS toolUseId, prompt_id AS promptId, decision, decided_by AS rule,"
    " duration_us AS durationUs, lost, repeats,"
    " facts_json AS facts, answer, payload FROM events WHERE session_id = ? AND id < ?"
    " AND kind = 'hook' ORDER BY id DESC LIMIT ?"
)
_MESSAGES = (
    "SELECT id, timestamp AS at, role, tool_name AS toolName, ref, content FROM messages"
    " WHERE session_id = ? AND timestamp >= ? AND timestamp < ? ORDER BY timestamp DESC LIMIT ?"
)
_INJECTION = (
    "SELECT id, source, path, content, offers, created_at AS createdAt, offered_at AS offeredAt,"
    " delivered_at AS deliveredAt, offered_by AS eventId, handover_of AS handoverOf FROM injections"
)
_WHERE_OFFERED = " WHERE offered_by IN (SELECT value FROM json_each(?)) ORDER BY id"
_INJECTIONS = _INJECTION + _WHERE_OFFERED
_WAITING = _INJECTION + (
    " WHERE session_id = ? AND delivered_at IS NULL AND offered_at IS NULL"
    " AND offers < 3 ORDER BY id LIMIT 100"
)
_HOOK_RUNS = (
    "SELECT id, event_id AS eventId, created_at AS at, hook_id AS hook, command,"
    " exit_code AS exitCode, duration_ms AS durationMs, decision, error AS fault, background"
    " FROM hook_runs WHERE event_id IN (SELECT value FROM json_each(?)) ORDER BY id"
)

_APPROVALS = (
    "SELECT id, event_id AS eventId, tool, text, reason, status, asked_at AS askedAt,"
    " answered_by AS answeredBy, answered_at AS answeredAt, message FROM approvals"
    " WHERE event_id IN (SELECT value FROM json_each(?)) ORDER BY id"
)


def context_history(db: Connection, number: int) -> tuple[Rows, list[tuple[str, str, str]]]:
    """Return how full the windows of a session's conversation were, and marks in that time.

    The rows have `at` and `usage`; a mark is a time, a label and compaction, handover or window.
    """
    windows = db.execute(_CONVERSATION, (number,)).fetchall()
    marks = []
    for place, row in enumerate(windows):
        if row["source"] == "compact":
            marks.append((row["created_at"], "compacted", "compaction"))
        elif place:
            marks.append((row["created_at"], f"new window: {row['source']}", "window"))
        if row["handover_at"]:
            marks.append((row["handover_at"], "handover", "handover"))
    numbers = json.dumps([row["id"] for row in windows])
    return db.execute(_HISTORY, (numbers,)).fetchall()[::-1], marks


_CONVERSATION = (
    "SELECT s.id, s.source, s.created_at, s.handover_at FROM sessions own JOIN sessions s"
    " ON s.claude_session_id = own.claude_session_id AND s.agent_id IS own.agent_id"
    " WHERE own.id = ? ORDER BY s.id LIMIT 200"
)
_HISTORY = (
    "SELECT at, usage FROM context_history WHERE session_id IN (SELECT value FROM json_each(?))"
    " ORDER BY at DESC LIMIT 2000"
)


def _time_of(db: Connection, event: int) -> str:
    row = db.execute("SELECT at FROM events WHERE id = ?", (event,)).fetchone()
    return row["at"] if row else _END


def _event(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return an event with the text of its call in place of its payload."""
    event = {key: value for key, value in row.items() if key != "payload"}
    event["text"] = payload_line(row["payload"], _MAX_TEXT_CHARS)
    for key in ("facts", "answer"):
        event[key] = parsed(event[key])
    return event
