"""List messages: prompts, answers, log entries, questions with their answers; newest first.

`after` selects those with a higher number. With `oldestFirst` the list begins with the oldest.
"""

from typing import Any

from pydantic import Field

from hookd.core.model.method import Example, RowId, Wire
from hookd.methods.listing import Listing, list_method, oldest_first


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


METHOD = list_method(
    "messages.list",
    Params,
    Result,
    Listing(
        "message_overview",
        ("session_id", "claude_session_id", "effort_id", "role"),
        {"id": "after"},
        order=oldest_first,
    ),
    Example({"effortId": 3, "role": "log"}),
)
