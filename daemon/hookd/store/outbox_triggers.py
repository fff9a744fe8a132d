"""Triggers that fill the outbox: SQL, created when the host joins a fleet.

They run in the transaction of the change, whatever code makes it. A host in no fleet has none.
"""

import sqlite3
from collections.abc import Container, Iterator

_PREFIX = "outbox_of_"

_NOW = "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')"

# A session has one row: it is read when it is sent, so the last change is all that counts. INSERT
# OR REPLACE would follow the conflict clause of the statement that fires the trigger.
_ADD_SESSION = (
    "DELETE FROM outbox WHERE kind = 'session' AND row_id = NEW.id;"  # noqa: S608 - constants
    f" INSERT INTO outbox (kind, row_id, at) VALUES ('session', NEW.id, {_NOW});"
)
_ADD_SESSIONS = (
    "DELETE FROM outbox WHERE kind = 'session' AND row_id IN (SELECT id FROM sessions WHERE {0});"
    " INSERT INTO outbox (kind, row_id, at) SELECT 'session', id, {1} FROM sessions WHERE {0};"
)

SHOWN = (
    "project_id", "effort_id", "owner", "agent_type", "parent_session_id", "model", "status",
    "branch", "context_usage", "cost", "client", "client_version", "ended_at", "end_reason",
)  # fmt: skip
"""Columns of a session whose change is sent. Counters and times go with the heartbeat."""

_CHANGED = " OR ".join(f"OLD.{name} IS NOT NEW.{name}" for name in SHOWN)

_FIELDS = (
    "'event_id', {0}.id, 'event', {0}.event, 'kind', {0}.kind, 'session', {0}.session_id,"
    " 'conversation', {0}.claude_session_id, 'subagent', {0}.agent_id, 'tool', {0}.tool_name,"
    " 'decision', {0}.decision, 'decided_by', {0}.decided_by, 'duration_us', {0}.duration_us"
)
EVENT_FIELDS = _FIELDS.format("e")
"""Arguments of json_object: what is sent of an event `e`, but for its client."""

# An event is sent from its own table, by its number: a row for each would cost every answer. One
# that waits for user hooks is passed by there, and has a row when they have ended.
_ADD_EVENT = (
    "INSERT INTO outbox (kind, row_id, at, body)"  # noqa: S608 - constants
    f" VALUES ('event', NEW.id, NEW.at, json_object({_FIELDS.format('NEW')}));"
)

# The mode when an event was recorded counts, not that when its user hooks end.
_IN_MODE = (
    "EXISTS (SELECT 1 FROM fleet_membership WHERE NEW.id > events_after"
    " AND NEW.id <= coalesce(last_event, NEW.id))"
)

_OF_SESSIONS = {
    "new_session": f"AFTER INSERT ON sessions BEGIN {_ADD_SESSION} END",
    "session": (
        f"AFTER UPDATE OF {', '.join(SHOWN)} ON sessions WHEN {_CHANGED} BEGIN {_ADD_SESSION} END"
    ),
    "phase": (
        "AFTER UPDATE OF current_phase, lifecycle ON efforts"
        " WHEN OLD.current_phase IS NOT NEW.current_phase OR OLD.lifecycle IS NOT NEW.lifecycle"
        " BEGIN " + _ADD_SESSIONS.format("effort_id = NEW.id AND ended_at IS NULL", _NOW) + " END"
    ),
    "agent": (
        "AFTER UPDATE OF status ON agents WHEN OLD.status IS NOT NEW.status BEGIN "
        + _ADD_SESSIONS.format("owner = NEW.id AND ended_at IS NULL", _NOW)
        + " END"
    ),
}
_OF_EVENTS = {
    "settled_event": (
        "AFTER UPDATE OF pending ON events WHEN OLD.pending = 1 AND NEW.pending = 0"
        f" AND NEW.kind IN ('hook', 'canary') AND {_IN_MODE} BEGIN {_ADD_EVENT} END"
    ),
}

# A claim is read when it is sent. Claims of other hosts have a holder that begins with "@".
_OWN_CLAIM = "NEW.automatic = 0 AND NEW.conversation NOT LIKE '@%'"
_ADD_CLAIM = f"INSERT INTO outbox (kind, row_id, at) VALUES ('claim', NEW.id, {_NOW});"  # noqa: S608
_ADD_RELEASE = _ADD_CLAIM.replace("'claim'", "'release'")
_OF_CLAIMS = {
    "claim": f"AFTER INSERT ON claims WHEN {_OWN_CLAIM} BEGIN {_ADD_CLAIM} END",
    "extended_claim": (
        f"AFTER UPDATE OF expires_at ON claims WHEN {_OWN_CLAIM} AND NEW.released_at IS NULL"
        f" AND OLD.expires_at IS NOT NEW.expires_at BEGIN {_ADD_CLAIM} END"
    ),
    "release": (
        f"AFTER UPDATE OF released_at ON claims WHEN {_OWN_CLAIM} AND OLD.released_at IS NULL"
        f" AND NEW.released_at IS NOT NULL BEGIN {_ADD_RELEASE} END"
    ),
}

_FIND = f"SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name GLOB '{_PREFIX}*'"  # noqa: S608


def create(db: sqlite3.Connection, accept: Container[str] = ()) -> None:
    """Create the triggers, in place of those that are there."""
    drop(db)
    for name, body in _triggers(accept):
        db.execute(f"CREATE TRIGGER {_PREFIX}{name} {body}")


def drop(db: sqlite3.Connection) -> None:
    """Drop the triggers."""
    for (name,) in db.execute(_FIND).fetchall():
        db.execute(f"DROP TRIGGER {name}")


def _triggers(accept: Container[str]) -> Iterator[tuple[str, str]]:
    yield from _OF_SESSIONS.items()
    if "claims" in accept:
        yield from _OF_CLAIMS.items()
    yield from _OF_EVENTS.items()
