"""List tasks with what was done on them, those worked on last first."""

from typing import Any

from pydantic import Field

from hookd.core.model.identity import Identity
from hookd.core.model.method import Example, ListMethod, Rows, View, Wire
from hookd.core.model.row_shapes import row_objects


class Params(Wire):
    """`task` is a task's folder, `project` a project's root; both are absolute."""

    task: str | None = None
    project: str | None = None
    limit: int = Field(50, ge=1, le=100_000)


class Result(Wire):
    """Rows of the view task_summary, keys in camelCase."""

    tasks: list[dict[str, Any]]


def select(params: Params, _identity: Identity) -> View:
    """Name the rows."""
    where = {"task": params.task, "project": params.project}
    return View("task_summary", where, order="last_activity DESC, task", limit=params.limit)


def shape(_params: Params, rows: Rows) -> Result:
    """Arrange them."""
    return Result(tasks=row_objects(rows))


METHOD = ListMethod(
    "task.list", Params, Result, select, shape, (Example({"project": "/work/orders"}),)
)
