"""List work items: their owners, what they wait for, and when their leases end."""

from typing import Any, Literal

from pydantic import Field

from hookd.core.model.method import Example, RowId, Wire
from hookd.methods.listing import Listing, list_method, oldest_first


class Params(Wire):
    """`project` is the root where an item was added, `agent` the owner's AGENT_ID.

    `repository` is the root that the worktrees of a project share; without git, its own.
    """

    id: RowId | None = None
    project: str | None = None
    repository: str | None = None
    state: Literal["open", "taken", "blocked", "done"] | None = None
    agent: str | None = None
    limit: int = Field(100, ge=1, le=100_000)
    oldest_first: bool = False


class Result(Wire):
    """Rows of the view work_overview, keys in camelCase; `waitsFor` are unfinished items."""

    items: list[dict[str, Any]]


METHOD = list_method(
    "work.list",
    Params,
    Result,
    Listing(
        "work_overview",
        ("id", "project", "repository", "state", "agent"),
        order=oldest_first,
        flags=("ready",),
    ),
    Example({"limit": 10}),
)
