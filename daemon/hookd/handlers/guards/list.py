"""List the guard rules with where they hold."""

from typing import Any

from pydantic import Field

from hookd.core.identity import Identity
from hookd.core.method import Example, ListMethod, Rows, View, Wire
from hookd.core.rows import objects


class Params(Wire):
    """`scope` is user, project or effort."""

    scope: str | None = None
    rule_id: str | None = None
    limit: int = Field(500, ge=1, le=100_000)


class Result(Wire):
    """Rows of the view guard_overview, keys in camelCase."""

    guards: list[dict[str, Any]]


def select(params: Params, _identity: Identity) -> View:
    """Name the rows."""
    where = {"scope": params.scope, "rule_id": params.rule_id}
    return View("guard_overview", where, order="id", limit=params.limit)


def shape(_params: Params, rows: Rows) -> Result:
    """Arrange them."""
    return Result(guards=objects(rows))


METHOD = ListMethod("guards.list", Params, Result, select, shape, (Example({}),))
