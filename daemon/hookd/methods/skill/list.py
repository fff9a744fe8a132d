"""List the skills that were read, by name, with the declarations of their SKILL.md."""

from typing import Any

from pydantic import Field

from hookd.core.model.method import Example, Wire
from hookd.methods.listing import Listing, list_method


class Params(Wire):
    """`project` is a project's root, an absolute path."""

    name: str | None = None
    project: str | None = None
    limit: int = Field(100, ge=1, le=100_000)


class Result(Wire):
    """Rows of the view skill_overview, keys in camelCase."""

    skills: list[dict[str, Any]]


METHOD = list_method(
    "skill.list",
    Params,
    Result,
    Listing("skill_overview", ("name", "project"), order="name, project"),
    Example({"name": "implement"}),
)
