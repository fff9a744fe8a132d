"""List the agents: their AGENT_ID, effort and status."""

from typing import Any

from pydantic import Field

from hookd.core.model.method import Example, RowId, Wire
from hookd.methods.listing import Listing, list_method


class Params(Wire):
    """`effortId` selects the agent that owns an effort."""

    id: str | None = None
    effort_id: RowId | None = None
    limit: int = Field(200, ge=1, le=100_000)


class Result(Wire):
    """Rows of the table agents, keys in camelCase."""

    agents: list[dict[str, Any]]


METHOD = list_method(
    "agents.list", Params, Result, Listing("agents", ("id", "effort_id"), order="id"), Example({})
)
