"""Return the whole payload of an event, of which the list shows an excerpt.

It is redacted, and cut at 64 kB.
"""

from typing import Any

from hookd.core.model.identity import Identity
from hookd.core.model.method import Example, ListMethod, RowId, Rows, View, Wire
from hookd.events.payload_excerpt import restore_text


class Params(Wire):
    """`id` is the event's number."""

    id: RowId


class Result(Wire):
    """`payload` is null if nothing is stored beyond the excerpt."""

    payload: Any


def select(params: Params, _identity: Identity) -> View:
    """Select the row."""
    return View("bodies", {"event_id": params.id}, order="event_id", limit=1)


def shape(_params: Params, rows: Rows) -> Result | bytes:
    """Decompress the payload, which is JSON."""
    if not rows.rows:
        return Result(payload=None)
    (row,) = rows.rows
    text = restore_text(row[rows.columns.index("zlib")])
    return f'{{"payload": {text}}}'.encode("utf-8", "replace")


METHOD = ListMethod(
    "events.body", Params, Result, select, shape, (Example({"id": 4711}, says="all of it"),)
)
