"""List missed events, which no daemon judged, as the shims recorded them; see `hookd status`."""

from typing import Any

from pydantic import Field

from hookd.core.model.method import Example, Wire
from hookd.methods.listing import Listing, list_method


class Params(Wire):
    """`since` is a time: events after it."""

    since: str | None = None
    limit: int = Field(1000, ge=1, le=100_000)


class Result(Wire):
    """Rows of the table unjudged, keys in camelCase: `count` events of one name and reason each."""

    unjudged: list[dict[str, Any]]


METHOD = list_method(
    "daemon.unjudged",
    Params,
    Result,
    Listing("unjudged", above={"last_at": "since"}, order="last_at DESC"),
    Example({"since": "2026-01-31T08:00:00.000Z"}, says="what happened after that"),
)
