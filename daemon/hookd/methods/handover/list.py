"""List handovers, newest first, and whether a window has taken each."""

from typing import Any

from pydantic import Field

from hookd.core.model.method import Example, RowId, Wire
from hookd.methods.listing import Listing, list_method


class Params(Wire):
    """`sessionId` is the number of the window that wrote it; `project` is a project's root."""

    session_id: RowId | None = None
    effort_id: RowId | None = None
    project: str | None = None
    limit: int = Field(50, ge=1, le=100_000)


class Result(Wire):
    """Rows of the view handover_overview, keys in camelCase; `handover` is the content."""

    handovers: list[dict[str, Any]]


METHOD = list_method(
    "handover.list",
    Params,
    Result,
    Listing(
        "handover_overview",
        ("session_id", "effort_id", "project"),
        order="handover_at DESC, session_id DESC",
    ),
    Example({"limit": 1}),
)
