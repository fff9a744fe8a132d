"""List the rows that wait for the central store of the fleet, the oldest first."""

from typing import Any, Literal

from pydantic import Field

from hookd.core.model.method import Example, Wire
from hookd.methods.listing import Listing, list_method


class Params(Wire):
    """At most `limit` rows; `state` is waiting or rejected."""

    state: Literal["waiting", "rejected"] | None = None
    limit: int = Field(100, ge=1, le=100_000)


class Result(Wire):
    """Rows of the view outbox_overview, keys in camelCase."""

    rows: list[dict[str, Any]]


METHOD = list_method(
    "fleet.outbox",
    Params,
    Result,
    Listing("outbox_overview", ("state",), order="at, id"),
    Example({"state": "rejected"}),
)
