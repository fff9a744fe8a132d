"""Show the fleet of many hosts that this host is in, and how sending to it goes."""

from typing import Any

from pydantic import Field

from hookd.core.model.method import Example, Wire
from hookd.methods.listing import Listing, Objects, list_method


class Params(Wire):
    """A host is in one fleet at most."""

    limit: int = Field(1, ge=1, le=1)


class Result(Wire):
    """The row of the view fleet_member, keys in camelCase; null in no fleet."""

    membership: dict[str, Any] | None


def _result(_params: Params, rows: Objects, _more: bool) -> Result:
    return Result(membership=rows[0] if rows else None)


METHOD = list_method(
    "fleet.membership",
    Params,
    Result,
    Listing("fleet_member", flags=("leaving",), result=_result),
    Example({}),
)
