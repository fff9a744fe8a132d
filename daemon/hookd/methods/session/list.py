"""List sessions: context windows and subagents' runs, newest first."""

from typing import Any

from pydantic import Field

from hookd.core.model.identity import Identity
from hookd.core.model.method import Example, ListMethod, RowId, Rows, View, Wire
from hookd.core.model.row_shapes import row_objects, without_idle_heartbeats


class Params(Wire):
    """`id` asks for one row by its number, `claudeSessionId` for all rows of a conversation.

    `beginning` is how a longer claudeSessionId begins; `effortId` is an effort's number.
    """

    id: RowId | None = None
    claude_session_id: str | None = None
    beginning: str | None = Field(None, min_length=1)
    effort_id: RowId | None = None
    limit: int = Field(50, ge=1, le=100_000)


class Result(Wire):
    """Rows of the view session_overview, keys in camelCase.

    `heartbeatCounter` is null for a session without an effort.
    """

    sessions: list[dict[str, Any]]


def select(params: Params, _identity: Identity) -> View:
    """Name the rows."""
    where = {
        "id": params.id,
        "claude_session_id": params.claude_session_id,
        "effort_id": params.effort_id,
    }
    # In this order, ids that begin with a text are the first of those above it.
    order = "claude_session_id, id DESC" if params.beginning else "id DESC"
    above = {"claude_session_id": params.beginning}
    return View("session_overview", where, above, order, params.limit)


def shape(params: Params, rows: Rows) -> Result:
    """Arrange them."""
    start = params.beginning or ""
    found = (one for one in row_objects(rows) if one["claudeSessionId"].startswith(start))
    return Result(sessions=without_idle_heartbeats(list(found), "effortId"))


METHOD = ListMethod(
    "session.list", Params, Result, select, shape, (Example({"limit": 5}, says="five newest"),)
)
