"""Run one SQL statement on a read-only connection of its own; `hookd query` is its terminal."""

from typing import Any

from pydantic import Field

from hookd.core.identity import Identity
from hookd.core.method import Example, ListMethod, Query, Rows, Wire


class Params(Wire):
    """`params` fill the statement's question marks."""

    sql: str
    params: list[str | int | float | None] = []
    limit: int = Field(1000, ge=1, le=100_000)


class Result(Wire):
    """`more` is true where the limit cut the rows."""

    columns: list[str]
    rows: list[list[Any]]
    more: bool


def select(params: Params, _identity: Identity) -> Query:
    """Hand the statement on."""
    return Query(params.sql, tuple(params.params), params.limit)


def shape(_params: Params, rows: Rows) -> Result:
    """Arrange the rows; what is no text or number is shown as text."""
    cells = [[c.hex() if isinstance(c, bytes) else c for c in row] for row in rows.rows]
    return Result(columns=list(rows.columns), rows=cells, more=rows.more)


METHOD = ListMethod(
    "daemon.query",
    Params,
    Result,
    select,
    shape,
    (Example({"sql": "SELECT count(*) AS n FROM events"}),),
)
