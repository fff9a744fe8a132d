"""List what windows left for the next one, and whether one has taken it; newest first."""

from typing import Any

from pydantic import Field

from hookd.core.model.identity import Identity
from hookd.core.model.method import Example, ListMethod, RowId, Rows, View, Wire
from hookd.core.model.row_shapes import row_objects


class Params(Wire):
    """`sessionId` is the number of the window that left it; `project` is a project's root."""

    session_id: RowId | None = None
    effort_id: RowId | None = None
    project: str | None = None
    limit: int = Field(50, ge=1, le=100_000)


class Result(Wire):
    """Rows of the view handover_overview, keys in camelCase; `handover` is what was left."""

    handovers: list[dict[str, Any]]


def select(params: Params, _identity: Identity) -> View:
    """Name the rows."""
    where = {
        "session_id": params.session_id,
        "effort_id": params.effort_id,
        "project": params.project,
    }
    order = "handover_at DESC, session_id DESC"
    return View("handover_overview", where, order=order, limit=params.limit)


def shape(_params: Params, rows: Rows) -> Result:
    """Arrange them."""
    return Result(handovers=row_objects(rows))


METHOD = ListMethod("handover.list", Params, Result, select, shape, (Example({"limit": 1}),))
