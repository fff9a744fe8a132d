"""List permission requests that wait, or waited, for a person outside the client; newest first."""

from typing import Any

from pydantic import Field

from hookd.core.model.identity import Identity
from hookd.core.model.method import Example, ListMethod, RowId, Rows, View, Wire
from hookd.core.model.row_shapes import row_objects


class Params(Wire):
    """At most `limit` requests: those that wait, with false those that ended, with null all.

    `id` is one request, `event_id` the event of one.
    """

    pending: bool | None = True
    id: RowId | None = None
    event_id: RowId | None = None
    limit: int = Field(100, ge=1, le=100_000)


class Result(Wire):
    """Rows of the view approval_overview, keys in camelCase.

    `input` is the tool's input, redacted, and `risk` what a command risks: `kind`, `severity`,
    `reason` and the ids of `rules`; null: nothing is known. `reason` is why a guard asks; null: the
    client itself asks. `diff` is what a file tool changes. `status` is pending, allowed, denied,
    dialog (left to the client's dialog), expired, or ended, such as by the client's own dialog.
    `until` is when a request is left to the dialog.
    """

    approvals: list[dict[str, Any]]


def select(params: Params, _identity: Identity) -> View:
    """Return the rows."""
    status = "pending" if params.pending else None
    where = {"status": status, "id": params.id, "event_id": params.event_id}
    above = {"answered_at": ""} if params.pending is False else {}
    return View("approval_overview", where, above, limit=params.limit)


def shape(_params: Params, rows: Rows) -> Result:
    """Return the requests."""
    return Result(approvals=row_objects(rows))


METHOD = ListMethod(
    "approvals.list", Params, Result, select, shape, (Example({}), Example({"pending": None}))
)
