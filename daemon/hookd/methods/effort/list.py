"""List efforts, newest first: all, the active ones, those of a task, or one by its number."""

from typing import Any

from pydantic import Field

from hookd.core.model.method import Example, RowId, Wire
from hookd.methods.listing import Listing, list_method


class Params(Wire):
    """`lifecycle` is active or finished; `task` is a task's folder, an absolute path."""

    id: RowId | None = None
    lifecycle: str | None = None
    task: str | None = None
    limit: int = Field(50, ge=1, le=100_000)


class Result(Wire):
    """Rows of the view effort_overview, keys in camelCase."""

    efforts: list[dict[str, Any]]


METHOD = list_method(
    "effort.list",
    Params,
    Result,
    Listing("effort_overview", ("id", "lifecycle", "task")),
    Example({"lifecycle": "active"}),
)
