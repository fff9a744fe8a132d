"""List the texts that waited for a model, and their state; newest first."""

from typing import Any, Literal

from pydantic import Field, field_validator

from hookd.core.model.method import Example, RowId, Wire
from hookd.methods.listing import Listing, list_method


class Params(Wire):
    """`sessionId` is the number of their window.

    The state `given up` is deprecated: use `abandoned`.
    """

    session_id: RowId | None = None
    state: Literal["waiting", "offered", "delivered", "abandoned", "given up"] | None = None
    rule_id: str | None = None
    limit: int = Field(100, ge=1, le=100_000)

    @field_validator("state")
    @classmethod
    def _current(cls, state: str | None) -> str | None:
        return "abandoned" if state == "given up" else state


class Result(Wire):
    """Rows of the view injection_overview, keys in camelCase; `ruleId` is its `source`."""

    injections: list[dict[str, Any]]


METHOD = list_method(
    "injections.list",
    Params,
    Result,
    Listing("injection_overview", ("session_id", "state", "source"), names={"source": "rule_id"}),
    Example({"sessionId": 12}),
)
