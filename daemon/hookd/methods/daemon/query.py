"""Run one SQL statement, read-only, in a process of its own; `hookd query` is its command.

It has 5 seconds of CPU time, 200 MB of memory and 8 MB for its result. A statement that needs more
fails (QUERY_FAILED), and nothing else is affected.
"""

from typing import Any

from pydantic import Field

from hookd.core.model.identity import Identity
from hookd.core.model.method import Example, ListMethod, Query, Rows, Wire


class Params(Wire):
    """`params` fill the statement's question marks."""

    sql: str
    params: list[str | int | float | None] = []
    limit: int = Field(1000, ge=1, le=100_000)


class Result(Wire):
    """`more` is true if the limit cut the rows. A blob is shown in hexadecimal."""

    columns: list[str]
    rows: list[list[Any]]
    more: bool


def select(params: Params, _identity: Identity) -> Query:
    """Forward the statement."""
    return Query(params.sql, tuple(params.params), params.limit)


def shape(_params: Params, rows: Rows) -> bytes:
    """Return the result, which the process has written as JSON."""
    return rows.raw


METHOD = ListMethod(
    "daemon.query",
    Params,
    Result,
    select,
    shape,
    (Example({"sql": "SELECT count(*) AS n FROM events"}),),
)
