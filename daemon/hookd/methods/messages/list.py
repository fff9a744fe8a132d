"""List what was said: prompts, answers, log entries, questions with their answers; newest first.

`after` asks for those with a higher number. With `oldestFirst` the list begins at the other end.
"""

from typing import Any

from pydantic import Field

from hookd.core.model.identity import Identity
from hookd.core.model.method import Example, ListMethod, RowId, Rows, View, Wire
from hookd.core.model.row_shapes import row_objects


class Params(Wire):
    """`role` is user, assistant, log or system; `sessionId` is a row's number."""

    session_id: RowId | None = None
    claude_session_id: str | None = None
    effort_id: RowId | None = None
    role: str | None = None
    after: int | None = Field(None, ge=0, le=2**63 - 1)
    oldest_first: bool = False
    limit: int = Field(100, ge=1, le=100_000)


class Result(Wire):
    """Rows of the view message_overview, keys in camelCase.

    A question has the role user, the tool AskUserQuestion, and JSON text for its content.
    """

    messages: list[dict[str, Any]]


def select(params: Params, _identity: Identity) -> View:
    """Name the rows."""
    where = {
        "session_id": params.session_id,
        "claude_session_id": params.claude_session_id,
        "effort_id": params.effort_id,
        "role": params.role,
    }
    order = "id" if params.oldest_first else "id DESC"
    return View("message_overview", where, {"id": params.after}, order, params.limit)


def shape(_params: Params, rows: Rows) -> Result:
    """Arrange them."""
    return Result(messages=row_objects(rows))


METHOD = ListMethod(
    "messages.list", Params, Result, select, shape, (Example({"effortId": 3, "role": "log"}),)
)
