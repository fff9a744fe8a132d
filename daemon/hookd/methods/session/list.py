"""List sessions: context windows and subagents' runs, newest first."""

from typing import Any

from pydantic import Field

from hookd.core.model.method import Example, RowId, Wire
from hookd.core.model.row_shapes import without_idle_heartbeats
from hookd.methods.listing import Listing, Objects, list_method


class Params(Wire):
    """`id` selects one row by its number, `claudeSessionId` all rows of a conversation.

    `beginning` is a prefix of claudeSessionId; `effortId` is an effort's number; `client` is a
    client's name, such as `codex`.
    """

    id: RowId | None = None
    claude_session_id: str | None = None
    beginning: str | None = Field(None, min_length=1)
    effort_id: RowId | None = None
    client: str | None = None
    limit: int = Field(50, ge=1, le=100_000)


class Result(Wire):
    """Rows of the view session_overview, keys in camelCase.

    `heartbeatCounter` is null for a session without an effort.
    """

    sessions: list[dict[str, Any]]


def _order(params: Params) -> str:
    # In this order, ids that begin with a text are the first of those above it.
    return "claude_session_id, id DESC" if params.beginning else "id DESC"


def _result(params: Params, rows: Objects, _more: bool) -> Result:
    start = params.beginning or ""
    found = [one for one in rows if one["claudeSessionId"].startswith(start)]
    return Result(sessions=without_idle_heartbeats(found, "effortId"))


METHOD = list_method(
    "session.list",
    Params,
    Result,
    Listing(
        "session_overview",
        ("id", "claude_session_id", "effort_id", "client"),
        {"claude_session_id": "beginning"},
        order=_order,
        result=_result,
    ),
    Example({"limit": 5}, says="five newest"),
)
