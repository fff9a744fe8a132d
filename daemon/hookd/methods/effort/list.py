"""List efforts, newest first: all, the active ones, those of a task, or one by its number."""

from typing import Any

from pydantic import Field

from hookd.core.model.identity import Identity
from hookd.core.model.method import Example, ListMethod, RowId, Rows, View, Wire
from hookd.core.model.row_shapes import row_objects


class Params(Wire):
    """`lifecycle` is active or finished; `task` is a task's folder, an absolute path."""

    id: RowId | None = None
    lifecycle: str | None = None
    task: str | None = None
    limit: int = Field(50, ge=1, le=100_000)


class Result(Wire):
    """Rows of the view effort_overview, keys in camelCase."""

    efforts: list[dict[str, Any]]


def select(params: Params, _identity: Identity) -> View:
    """Name the rows."""
    where = {"id": params.id, "lifecycle": params.lifecycle, "task": params.task}
    return View("effort_overview", where, limit=params.limit)


def shape(_params: Params, rows: Rows) -> Result:
    """Arrange them."""
    return Result(efforts=row_objects(rows))


METHOD = ListMethod(
    "effort.list", Params, Result, select, shape, (Example({"lifecycle": "active"}),)
)
