"""Guard rules with their source, calls that may pass a guard, and projects."""

from sqlite3 import Connection
from typing import Any

from hookd.store.browse.sessions import parsed

_RULES = (
    'SELECT id, name AS "ruleId", scope, project, effort_id AS effortId, task, rule_json AS rule,'
    " created_at AS createdAt, layer, source, loosens FROM guard_overview ORDER BY scope, name, id"
    " LIMIT ?"
)
_ALLOWANCES = (
    "SELECT id, event_id AS eventId, guard, tool, text, folder, until, created_at AS createdAt"
    " FROM allowance_overview ORDER BY id DESC LIMIT ?"
)
_PROJECTS = "SELECT path FROM projects ORDER BY path LIMIT ?"


def rules(db: Connection, limit: int = 2_000) -> list[dict[str, Any]]:
    """Return the guard rules; `rule` is the rule's JSON as a value, a text if it is none."""
    found = db.execute(_RULES, (limit,)).fetchall()
    return [row | {"rule": parsed(row["rule"])} for row in found]


def allowances(db: Connection, limit: int = 500) -> list[dict[str, Any]]:
    """Return the calls that may pass a guard now, the newest first."""
    found: list[dict[str, Any]] = db.execute(_ALLOWANCES, (limit,)).fetchall()
    return found


def projects(db: Connection, limit: int = 1_000) -> list[str]:
    """Return the paths of all projects."""
    return [row["path"] for row in db.execute(_PROJECTS, (limit,))]
