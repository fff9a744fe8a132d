"""List the skills that were read, by name, with what their SKILL.md declares."""

from typing import Any

from pydantic import Field

from hookd.core.model.identity import Identity
from hookd.core.model.method import Example, ListMethod, Rows, View, Wire
from hookd.core.model.row_shapes import row_objects


class Params(Wire):
    """`project` is a project's root, an absolute path."""

    name: str | None = None
    project: str | None = None
    limit: int = Field(100, ge=1, le=100_000)


class Result(Wire):
    """Rows of the view skill_overview, keys in camelCase."""

    skills: list[dict[str, Any]]


def select(params: Params, _identity: Identity) -> View:
    """Name the rows."""
    where = {"name": params.name, "project": params.project}
    return View("skill_overview", where, order="name, project", limit=params.limit)


def shape(_params: Params, rows: Rows) -> Result:
    """Arrange them."""
    return Result(skills=row_objects(rows))


METHOD = ListMethod("skill.list", Params, Result, select, shape, (Example({"name": "implement"}),))
