"""List the phases that an effort entered, oldest first, with their proofs."""

from typing import Any

from pydantic import Field

from hookd.core.model.method import Example, RowId, Wire
from hookd.methods.listing import Listing, list_method


class Params(Wire):
    """`effortId` is the effort's number."""

    effort_id: RowId
    limit: int = Field(500, ge=1, le=100_000)


class Result(Wire):
    """Rows of the view phase_overview, keys in camelCase.

    `proof` was given on entering `phase`, for the phase that was left.
    """

    phases: list[dict[str, Any]]


METHOD = list_method(
    "effort.history",
    Params,
    Result,
    Listing("phase_overview", ("effort_id",), order="id"),
    Example({"effortId": 3}),
)
