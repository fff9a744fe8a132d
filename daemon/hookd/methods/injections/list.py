"""List the texts that waited for a model, and what became of each; newest first."""

from typing import Any, Literal

from pydantic import Field

from hookd.core.model.identity import Identity
from hookd.core.model.method import Example, ListMethod, RowId, Rows, View, Wire
from hookd.core.model.row_shapes import row_objects


class Params(Wire):
    """`sessionId` is the number of the window that they are for.

    The state `given up` is the old word for `abandoned`.
    """

    session_id: RowId | None = None
    state: Literal["waiting", "offered", "delivered", "abandoned", "given up"] | None = None
    rule_id: str | None = None
    limit: int = Field(100, ge=1, le=100_000)


class Result(Wire):
    """Rows of the view injection_overview, keys in camelCase; `ruleId` is its `source`."""

    injections: list[dict[str, Any]]


def select(params: Params, _identity: Identity) -> View:
    """Name the rows."""
    state = "abandoned" if params.state == "given up" else params.state
    where = {"session_id": params.session_id, "state": state, "source": params.rule_id}
    return View("injection_overview", where, limit=params.limit)


def shape(_params: Params, rows: Rows) -> Result:
    """Arrange them."""
    return Result(injections=row_objects(rows, {"source": "ruleId"}))


METHOD = ListMethod("injections.list", Params, Result, select, shape, (Example({"sessionId": 12}),))
