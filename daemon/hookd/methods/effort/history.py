"""List the phases that an effort entered, oldest first, with the proofs that were given."""

from typing import Any

from pydantic import Field

from hookd.core.model.identity import Identity
from hookd.core.model.method import Example, ListMethod, RowId, Rows, View, Wire
from hookd.core.model.row_shapes import row_objects


class Params(Wire):
    """`effortId` is the effort's number."""

    effort_id: RowId
    limit: int = Field(500, ge=1, le=100_000)


class Result(Wire):
    """Rows of the view phase_overview, keys in camelCase.

    `proof` was given on entering `phase`, for the phase that was left.
    """

    phases: list[dict[str, Any]]


def select(params: Params, _identity: Identity) -> View:
    """Name the rows."""
    return View("phase_overview", {"effort_id": params.effort_id}, order="id", limit=params.limit)


def shape(_params: Params, rows: Rows) -> Result:
    """Arrange them."""
    return Result(phases=row_objects(rows))


METHOD = ListMethod("effort.history", Params, Result, select, shape, (Example({"effortId": 3}),))
