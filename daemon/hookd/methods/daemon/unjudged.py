"""List what no daemon judged, as the shims have left it; `hookd status` sums it up."""

from typing import Any

from pydantic import Field

from hookd.core.model.identity import Identity
from hookd.core.model.method import Example, ListMethod, Rows, View, Wire
from hookd.core.model.row_shapes import row_objects


class Params(Wire):
    """`since` is a time: what happened after it."""

    since: str | None = None
    limit: int = Field(1000, ge=1, le=100_000)


class Result(Wire):
    """Rows of the table unjudged, keys in camelCase: `count` events of a name and a reason each."""

    unjudged: list[dict[str, Any]]


def select(params: Params, _identity: Identity) -> View:
    """Name the rows."""
    return View(
        "unjudged", above={"last_at": params.since}, order="last_at DESC", limit=params.limit
    )


def shape(_params: Params, rows: Rows) -> Result:
    """Arrange them."""
    return Result(unjudged=row_objects(rows))


METHOD = ListMethod(
    "daemon.unjudged",
    Params,
    Result,
    select,
    shape,
    (Example({"since": "2026-01-31T08:00:00.000Z"}, says="what happened after that"),),
)
