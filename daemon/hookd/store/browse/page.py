"""A page of rows: keyset pagination, since an offset reads all the rows before it."""

from typing import Any

from hookd.lazy_dataclass import dataclass

Rows = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Page:
    """Rows, the newest first; `before` asks for those after them, None at the end.

    `partial`: the search stopped at a limit of its own before the page was full, and `before`
    continues it.
    """

    rows: Rows
    before: int | None = None
    partial: bool = False


def page_of(rows: Rows, limit: int, key: str = "id") -> Page:
    """Return the first `limit` of rows of which one more than that was asked for."""
    if len(rows) <= limit:
        return Page(rows)
    return Page(rows[:limit], rows[limit - 1][key])
