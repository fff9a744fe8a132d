"""List every agent, and every open window without an agent, with what each is doing."""

from typing import Any

from pydantic import Field

from hookd.core.model.method import Example, Wire
from hookd.core.model.row_shapes import without_idle_heartbeats
from hookd.methods.listing import Listing, Objects, list_method


class Params(Wire):
    """At most `limit` rows; `client` is a client's name, such as `codex`."""

    client: str | None = None
    limit: int = Field(200, ge=1, le=100_000)


class Result(Wire):
    """Rows of the view fleet_status, keys in camelCase.

    `heartbeatCounter` is null if no effort is active.
    """

    agents: list[dict[str, Any]]


def _result(_params: Params, rows: Objects, _more: bool) -> Result:
    return Result(agents=without_idle_heartbeats(rows, "skill"))


METHOD = list_method(
    "fleet.status",
    Params,
    Result,
    Listing("fleet_status", ("client",), order="last_seen DESC", result=_result),
    Example({}),
)
