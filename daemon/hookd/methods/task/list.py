"""List tasks with the work done on them, the most recently active first."""

from typing import Any

from pydantic import Field

from hookd.core.model.method import Example, Wire
from hookd.methods.listing import Listing, list_method


class Params(Wire):
    """`task` is a task's folder, `project` a project's root; both are absolute."""

    task: str | None = None
    project: str | None = None
    limit: int = Field(50, ge=1, le=100_000)


class Result(Wire):
    """Rows of the view task_summary, keys in camelCase."""

    tasks: list[dict[str, Any]]


METHOD = list_method(
    "task.list",
    Params,
    Result,
    Listing("task_summary", ("task", "project"), order="last_activity DESC, task"),
    Example({"project": "/work/orders"}),
)
