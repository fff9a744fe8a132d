"""The fleet: a row for each agent and each open session without one, with what it did last."""

from sqlite3 import Connection
from typing import Any

from hookd.display.event_subject import payload_line

_MAX_TEXT_CHARS = 200
"""Characters of the last call that a row has."""

_FLEET = (
    "SELECT f.agent, f.label, f.kind, f.status, f.status_at AS statusAt,"
    " iif(f.status = 'attention', f.status_at, NULL) AS waitingSince, f.quiet, f.project, f.branch,"
    " f.task, f.skill, f.current_phase AS currentPhase, f.first_prompt AS firstPrompt,"
    " iif(f.skill IS NULL, NULL, f.heartbeat_counter) AS heartbeatCounter,"
    " f.context_usage AS contextUsage, f.context_source AS contextSource,"
    " s.window_tokens AS windowTokens, f.cost, s.model, s.client,"
    " s.client_version AS clientVersion,"
    " f.parent, f.manages, f.tmux_socket AS tmuxSocket, f.tmux_pane AS tmuxPane,"
    " f.tmux_server AS tmuxServer, f.session_id AS sessionId,"
    " s.claude_session_id AS claudeSessionId,"
    " s.effort_id AS effortId, s.created_at AS startedAt, s.ended_at AS endedAt, s.cwd,"
    " s.tool_calls AS toolCalls, (SELECT count(*) FROM sessions c WHERE c.parent_session_id = s.id"
    "  AND c.ended_at IS NULL) AS subagents, f.last_seen AS lastSeen, f.claims,"
    " f.mail, f.work"
    " FROM fleet_status f LEFT JOIN sessions s ON s.id = f.session_id"
    " ORDER BY f.kind, f.last_seen DESC LIMIT ?"
)
"""Agents come first: an agent that has waited long for a person must be within the limit."""

_LAST_CALL = (
    "SELECT id, at, tool_name, decision, payload FROM (SELECT id, at, tool_name, decision, payload"
    "  FROM events WHERE session_id = ? AND kind = 'hook' ORDER BY id DESC LIMIT 20)"
    " WHERE tool_name IS NOT NULL ORDER BY id DESC LIMIT 1"
)
"""The last call of a session, if it is one of its last events."""


def rows(db: Connection, limit: int = 2_000) -> list[dict[str, Any]]:
    """Return the fleet with the keys of `fleet.status`, and more.

    `waitingSince` is set where a person has to answer. `lastTool`, `lastText`, `lastCallAt`,
    `lastCallId` and `lastDecision` are those of the last call; None without one.
    """
    found: list[dict[str, Any]] = db.execute(_FLEET, (limit,)).fetchall()
    return [row | last_call(db, row["sessionId"]) for row in found]


def last_call(db: Connection, session: int | None) -> dict[str, Any]:
    """Return the last call of a session with the keys that `rows` has for it."""
    row = db.execute(_LAST_CALL, (session,)).fetchone() if session is not None else None
    return {
        "lastTool": row and row["tool_name"],
        "lastText": row and payload_line(row["payload"], _MAX_TEXT_CHARS),
        "lastCallAt": row and row["at"],
        "lastCallId": row and row["id"],
        "lastDecision": row and row["decision"],
    }
