"""List the guard rules with where they apply, and why one never matches."""

import json
from typing import Any

from pydantic import Field

from hookd.core.guard_rules.dead_rules import stored_rule_problems
from hookd.core.model.identity import Identity
from hookd.core.model.method import Example, ListMethod, Rows, View, Wire
from hookd.core.model.row_shapes import row_objects


class Params(Wire):
    """`scope` is user, project or effort."""

    scope: str | None = None
    rule_id: str | None = None
    limit: int = Field(500, ge=1, le=100_000)


class Result(Wire):
    """Rows of the view guard_overview, keys in camelCase; `ruleId` is its `name`.

    `problems` say why a rule, or a part of it, never matches a call; `warnings` name tools that
    Claude Code does not have.
    """

    guards: list[dict[str, Any]]


def select(params: Params, _identity: Identity) -> View:
    """Name the rows."""
    where = {"scope": params.scope, "name": params.rule_id}
    return View("guard_overview", where, order="id", limit=params.limit)


def shape(_params: Params, rows: Rows) -> Result:
    """Arrange them."""
    found = row_objects(rows, {"name": "ruleId"})
    return Result(
        guards=[{**one, **stored_rule_problems(json.dumps(one["rule"]))} for one in found]
    )


METHOD = ListMethod("guards.list", Params, Result, select, shape, (Example({}),))
