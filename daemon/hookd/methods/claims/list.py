"""List claims, newest first: the open ones, or all that are still recorded."""

from typing import Any, Literal

from pydantic import Field

from hookd.core.model.method import Example, Wire
from hookd.methods.listing import Listing, list_method

State = Literal["open", "expired", "ended"]


class Params(Wire):
    """At most `limit` claims with this state; null: with any."""

    state: State | None = "open"
    session_id: int | None = None
    limit: int = Field(500, ge=1, le=100_000)


class Result(Wire):
    """Rows of the view claim_overview, keys in camelCase."""

    claims: list[dict[str, Any]]


METHOD = list_method(
    "claims.list",
    Params,
    Result,
    Listing("claim_overview", where=("state", "session_id"), flags=("automatic", "unsent")),
    Example({}),
    Example({"state": None}),
)
