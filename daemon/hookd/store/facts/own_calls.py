"""Calls of hookd's own MCP tools as facts, and the session of a caller without an identity."""

import sqlite3

from hookd.core.model.own_call import OwnCall
from hookd.core.model.work_requests import OwnCallsOf

# A denied call does not run, so it names no caller.
_CALLS = (
    "SELECT c.id, c.session_id, c.conversation, c.agent_id, c.tool_use_id, s.owner,"
    " coalesce(p.client_process, s.client_process) FROM own_calls c"
    " JOIN sessions s ON s.id = c.session_id"
    " LEFT JOIN sessions p ON p.id = s.parent_session_id"
    " LEFT JOIN events e ON e.id = c.event_id"
    " WHERE c.digest = ? AND c.tool = ? AND c.at >= ? AND c.used_at IS NULL"
    " AND e.decision IS NOT 'deny' ORDER BY c.id"
)


def own_calls(db: sqlite3.Connection, want: OwnCallsOf) -> tuple[OwnCall, ...]:
    """Return the calls that are not used, the oldest first."""
    rows = db.execute(_CALLS, (want.digest, want.tool, want.since))
    return tuple(OwnCall(*row) for row in rows)
