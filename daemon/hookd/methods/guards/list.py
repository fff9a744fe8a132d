"""List the guard rules with where they apply, and why one never matches."""

import json
from typing import Any

from pydantic import Field

from hookd.core.guard_rules.dead_rules import stored_rule_problems
from hookd.core.model.method import Example, Wire
from hookd.methods.listing import Listing, Objects, list_method


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


def _result(_params: Params, rows: Objects, _more: bool) -> Result:
    return Result(guards=[{**one, **stored_rule_problems(json.dumps(one["rule"]))} for one in rows])


METHOD = list_method(
    "guards.list",
    Params,
    Result,
    Listing(
        "guard_overview", ("scope", "name"), order="id", names={"name": "rule_id"}, result=_result
    ),
    Example({}),
)
