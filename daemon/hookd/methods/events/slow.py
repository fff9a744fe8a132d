"""List the slowest of the last 20,000 events, with the time of each stage.

`over` selects those that took more milliseconds, `since` those of a later time, as in
`events.list`.
"""

from typing import Any

from pydantic import Field

from hookd.core.model.identity import Identity
from hookd.core.model.method import Example, ListMethod, RowId, Rows, View, Wire
from hookd.core.model.row_shapes import row_objects
from hookd.methods.listing import TIME


class Params(Wire):
    """`session` is a row's number; `toolName` is the name of a tool."""

    over: float = Field(0, ge=0, le=86_400_000)
    since: str | None = Field(None, pattern=TIME)
    session: RowId | None = None
    claude_session_id: str | None = None
    event: str | None = None
    tool_name: str | None = None
    limit: int = Field(100, ge=1, le=20_000)


class Result(Wire):
    """Rows of the view recent_latency, keys in camelCase; those with Us are microseconds.

    `durationUs` is the time from the arrival of the whole payload until the event's row was
    written, and until its answer was ready if that took 50 ms more. `policy` is the slowest policy.
    """

    events: list[dict[str, Any]]
    more: bool


def select(params: Params, _identity: Identity) -> View:
    """Select the rows; none is as slow as 0 microseconds."""
    where = {
        "session_id": params.session,
        "claude_session_id": params.claude_session_id,
        "event": params.event,
        "tool_name": params.tool_name,
    }
    above = {"duration_us": int(params.over * 1_000), "at": params.since}
    return View("recent_latency", where, above, "duration_us DESC, id DESC", params.limit)


def shape(_params: Params, rows: Rows) -> Result:
    """Return the rows as objects."""
    return Result(events=row_objects(rows), more=rows.more)


METHOD = ListMethod(
    "events.slow",
    Params,
    Result,
    select,
    shape,
    (Example({"over": 50, "limit": 5}, says="the five slowest above 50 ms"),),
)
