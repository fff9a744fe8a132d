"""List the latest runs of user hooks, the oldest first."""

from typing import Any

from pydantic import Field

from hookd.core.model.method import Example, RowId, Wire
from hookd.methods.listing import Listing, Objects, list_method


class Params(Wire):
    """At most `limit` runs: of a hook, on events of a name, on one event, after a run's number."""

    limit: int = Field(50, ge=1, le=100_000)
    hook: str | None = None
    event: str | None = None
    event_id: RowId | None = None
    after: RowId | None = None


class Result(Wire):
    """Rows of the view hook_run_overview, keys in camelCase.

    `hook`, `fault` and `stderrHead` are its `hook_id`, `error` and `stderr_excerpt`.
    """

    runs: list[dict[str, Any]]


def _result(_params: Params, rows: Objects, _more: bool) -> Result:
    return Result(runs=rows[::-1])  # the oldest first, as in a log


METHOD = list_method(
    "userHooks.runs",
    Params,
    Result,
    Listing(
        "hook_run_overview",
        ("hook_id", "event", "event_id"),
        {"id": "after"},
        names={"hook_id": "hook", "error": "fault", "stderr_excerpt": "stderr_head"},
        flags=("background", "truncated"),
        result=_result,
    ),
    Example({"limit": 5}),
)
