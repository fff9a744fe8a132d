"""Show who is doing what: every agent, and every open window that belongs to none."""

from typing import Any

from pydantic import Field

from hookd.core.model.identity import Identity
from hookd.core.model.method import Example, ListMethod, Rows, View, Wire
from hookd.core.model.row_shapes import row_objects, without_idle_heartbeats


class Params(Wire):
    """At most `limit` rows."""

    limit: int = Field(200, ge=1, le=100_000)


class Result(Wire):
    """Rows of the view fleet_status, keys in camelCase.

    `heartbeatCounter` is null where no effort is active.
    """

    agents: list[dict[str, Any]]


def select(params: Params, _identity: Identity) -> View:
    """Name the rows."""
    return View("fleet_status", {}, order="last_seen DESC", limit=params.limit)


def shape(_params: Params, rows: Rows) -> Result:
    """Arrange them."""
    return Result(agents=without_idle_heartbeats(row_objects(rows), "skill"))


METHOD = ListMethod("fleet.status", Params, Result, select, shape, (Example({}),))
