"""List the latest runs of user hooks, the oldest first."""

from typing import Any

from pydantic import Field

from hookd.core.model.identity import Identity
from hookd.core.model.method import Example, ListMethod, RowId, Rows, View, Wire
from hookd.core.model.row_shapes import row_objects


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


_FLAGS = ("background", "truncated")
_KEYS = {"hook_id": "hook", "error": "fault", "stderr_excerpt": "stderrHead"}


def select(params: Params, _identity: Identity) -> View:
    """Select the rows."""
    where = {"hook_id": params.hook, "event": params.event, "event_id": params.event_id}
    return View("hook_run_overview", where, above={"id": params.after}, limit=params.limit)


def shape(_params: Params, rows: Rows) -> Result:
    """Return the oldest run first, as in a log."""
    runs = row_objects(rows, _KEYS)[::-1]
    return Result(runs=[run | {key: bool(run[key]) for key in _FLAGS} for run in runs])


METHOD = ListMethod("userHooks.runs", Params, Result, select, shape, (Example({"limit": 5}),))
