"""What an effect becomes: statements with their values, and texts that are safe to keep."""

from typing import Any

from hookd.redaction.redact import redact

Statement = tuple[str, tuple[Any, ...]]

_ID = 36  # characters of a UUID


def clean(text: str | None) -> str | None:
    """Return a text as it may be kept."""
    # Ids of the client's making; whoever else sends events may put anything there.
    return redact(text) if text and len(text) > _ID else text


def columns(table: str, values: dict[str, Any], verb: str = "INSERT") -> Statement:
    """Return the statement that puts one row into a table."""
    names, marks = ", ".join(values), ", ".join("?" * len(values))
    # The names come from this package, never from a request.
    return f"{verb} INTO {table} ({names}) VALUES ({marks})", tuple(values.values())


BOUND = (
    "(id = ?1 OR ?1 IS NULL AND ended_at IS NULL AND agent_id IS NULL AND project_id = ?2"
    " AND owner IS ?3 AND (?4 = '' OR client_process IS NULL OR client_process = ?4))"
)
"""Which sessions an effort binds: one by its number, or those of a project, owner and client."""
