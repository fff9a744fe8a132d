"""Summarize calls, denials, questions, injected texts, costs and rules, from the counts per hour.

Reading a million events takes some milliseconds, as they are counted already: an event of the last
20 seconds is not in it yet. Days and hours are UTC. `since` is a time; without one, the summary
begins at midnight six days ago. `project` is a root folder. NOT_FOUND for an unknown project.
"""

from typing import Any

from pydantic import Field

from hookd.core.model.identity import Identity
from hookd.core.model.method import Example, ListMethod, Rows, Statistics, Wire
from hookd.core.statistics.report import Result
from hookd.core.statistics.summary import summarize
from hookd.methods.listing import TIME


class Params(Wire):
    """`since` counts from the beginning of its hour, and costs from the beginning of its day.

    `client` is a client's name, such as `codex`.
    """

    since: str | None = Field(None, pattern=TIME)
    project: str | None = None
    client: str | None = None


def select(params: Params, _identity: Identity) -> Statistics:
    """Request the rows."""
    return Statistics(params.since, params.project, params.client)


def shape(_params: Params, rows: Rows) -> Result:
    """Make the summary of them."""
    known: dict[str, Any] = dict(zip(rows.columns, rows.rows[0], strict=True))
    return Result.model_validate(summarize(known))


METHOD = ListMethod(
    "stats.summary",
    Params,
    Result,
    select,
    shape,
    (
        Example({}, says="the last seven days, today included"),
        Example({"since": "2026-01-31T08:00:00.000Z", "client": "codex"}),
    ),
)
