"""List the calls that may pass a guard, by the allow rules in force."""

from typing import Any

from pydantic import Field

from hookd.core.model.identity import Identity
from hookd.core.model.method import Example, ListMethod, Rows, View, Wire
from hookd.core.model.row_shapes import row_objects


class Params(Wire):
    """At most `limit` rules."""

    limit: int = Field(500, ge=1, le=100_000)


class Result(Wire):
    """Rows of the view allowance_overview, keys in camelCase."""

    allowances: list[dict[str, Any]]


def select(params: Params, _identity: Identity) -> View:
    """Name the rows."""
    return View("allowance_overview", order="id", limit=params.limit)


def shape(_params: Params, rows: Rows) -> Result:
    """Arrange them."""
    return Result(allowances=row_objects(rows))


METHOD = ListMethod("allowances.list", Params, Result, select, shape, (Example({}),))
