"""List the calls that may pass a guard, by the allow rules in force."""

from typing import Any

from pydantic import Field

from hookd.core.model.method import Example, Wire
from hookd.methods.listing import Listing, list_method


class Params(Wire):
    """At most `limit` rules."""

    limit: int = Field(500, ge=1, le=100_000)


class Result(Wire):
    """Rows of the view allowance_overview, keys in camelCase."""

    allowances: list[dict[str, Any]]


METHOD = list_method(
    "allowances.list", Params, Result, Listing("allowance_overview", order="id"), Example({})
)
