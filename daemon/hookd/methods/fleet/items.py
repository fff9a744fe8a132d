"""List signed items that came from the central store, newest first: accepted, refused, ignored.

Of refused and ignored ones the last 200 are kept.
"""

from typing import Any, Literal

from pydantic import Field

from hookd.core.model.method import Example, Wire
from hookd.methods.listing import Listing, list_method


class Params(Wire):
    """At most `limit` items with this outcome; null: with any."""

    outcome: Literal["accepted", "refused", "ignored"] | None = None
    limit: int = Field(100, ge=1, le=10_000)


class Result(Wire):
    """Rows of the table fleet_items, keys in camelCase; without a sender, it was the fleet."""

    items: list[dict[str, Any]]


METHOD = list_method(
    "fleet.items",
    Params,
    Result,
    Listing("fleet_items", where=("outcome",), order="at DESC, id"),
    Example({}),
    Example({"outcome": "refused"}),
)
