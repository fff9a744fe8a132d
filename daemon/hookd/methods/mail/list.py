"""List mail of agents, newest first."""

from typing import Any, Literal

from pydantic import Field

from hookd.core.model.identity import Identity
from hookd.core.model.method import Example, ListMethod, RowId, Rows, View, Wire
from hookd.core.model.row_shapes import row_objects


class Params(Wire):
    """`id` is one mail, `threadId` a thread, `aboveId` leaves out older ones."""

    id: RowId | None = None
    thread_id: RowId | None = None
    above_id: int | None = Field(None, ge=0)
    state: Literal["waiting", "held", "dropped", "expired", "delivered", "sent"] | None = None
    sender: str | None = None
    to_kind: Literal["agent", "session", "task", "all", "person"] | None = None
    limit: int = Field(100, ge=1, le=100_000)


class Result(Wire):
    """Rows of the view mail_overview, keys in camelCase.

    `recipients` is the number of sessions that it was queued for, `delivered` of those that have
    got it. `framed` is the text as a model reads it.
    """

    mail: list[dict[str, Any]]


def select(params: Params, _identity: Identity) -> View:
    """Return the rows."""
    names = ("id", "thread_id", "state", "sender", "to_kind")
    where = {name: getattr(params, name) for name in names}
    return View("mail_overview", where, {"id": params.above_id}, limit=params.limit)


def shape(_params: Params, rows: Rows) -> Result:
    """Return the mail."""
    return Result(mail=row_objects(rows))


METHOD = ListMethod(
    "mail.list", Params, Result, select, shape, (Example({}), Example({"state": "held"}))
)
