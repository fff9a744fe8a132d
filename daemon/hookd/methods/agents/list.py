"""List the agents: who runs with an AGENT_ID, what it owns and how it stands."""

from typing import Any

from pydantic import Field

from hookd.core.model.identity import Identity
from hookd.core.model.method import Example, ListMethod, RowId, Rows, View, Wire
from hookd.core.model.row_shapes import row_objects


class Params(Wire):
    """`effortId` asks for the agent that owns an effort."""

    id: str | None = None
    effort_id: RowId | None = None
    limit: int = Field(200, ge=1, le=100_000)


class Result(Wire):
    """Rows of the table agents, keys in camelCase."""

    agents: list[dict[str, Any]]


def select(params: Params, _identity: Identity) -> View:
    """Name the rows."""
    where = {"id": params.id, "effort_id": params.effort_id}
    return View("agents", where, order="id", limit=params.limit)


def shape(_params: Params, rows: Rows) -> Result:
    """Arrange them."""
    return Result(agents=row_objects(rows))


METHOD = ListMethod("agents.list", Params, Result, select, shape, (Example({}),))
