"""List sessions: context windows and subagents' runs, newest first."""

from typing import Any

from pydantic import Field

from hookd.core.identity import Identity
from hookd.core.method import Example, ListMethod, RowId, Rows, View, Wire
from hookd.core.rows import objects


class Params(Wire):
    """`id` asks for one row by its number, `claudeSessionId` for all rows of a conversation."""

    id: RowId | None = None
    claude_session_id: str | None = None
    limit: int = Field(50, ge=1, le=100_000)


class Result(Wire):
    """Rows of the view session_overview, keys in camelCase."""

    sessions: list[dict[str, Any]]


def select(params: Params, _identity: Identity) -> View:
    """Name the rows."""
    where = {"id": params.id, "claude_session_id": params.claude_session_id}
    return View("session_overview", where, limit=params.limit)


def shape(_params: Params, rows: Rows) -> Result:
    """Arrange them."""
    return Result(sessions=objects(rows))


METHOD = ListMethod(
    "session.list", Params, Result, select, shape, (Example({"limit": 5}, says="five newest"),)
)
