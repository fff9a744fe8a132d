"""Hosts of a fleet: what each is and does, by name, with totals and filters."""

from urllib.parse import urlencode

from hookd.central import board
from hookd.central.board import Row
from hookd.central.viewer import View
from hookd.display.amounts import duration
from hookd.web.central_pages.fields import clean
from hookd.web.page import Ask, Page, Values

_ROWS = 100
_MIN_CLOCK_MS = 1_000
"""Offset of a clock that is worth a word."""

_SUMS = ("hosts", "openSessions", "attention", "eventsToday", "deniedToday")


async def view(ask: Ask) -> Values:
    """Return the hosts after a name, and the totals of all hosts."""
    fields = {name: clean(ask, name) for name in ("text", "state")}
    after = clean(ask, "after")

    def read(view: View) -> tuple[list[Row], list[Row]]:
        text, state = fields["text"], fields["state"]
        rows = board.hosts(view, after=after or "", state=state, text=text, limit=_ROWS + 1)
        return rows, board.totals(view)

    rows, totals = await ask.read(read)
    kept = {name: value for name, value in fields.items() if value}
    more = urlencode(kept | {"after": rows[_ROWS - 1]["host"]}) if len(rows) > _ROWS else ""
    return {
        "rows": [row | {"clock": clock(row["clockOffsetMs"])} for row in rows[:_ROWS]],
        "states": {row["state"]: row["hosts"] for row in totals},
        "totals": {name: sum(row[name] or 0 for row in totals) for name in _SUMS},
        "fields": {name: value or "" for name, value in fields.items()},
        "choices": board.HOST_STATES,
        "more": more,
        "first": urlencode(kept) if after else None,
    }


def clock(offset_ms: int | None) -> str:
    """Return how far a host's clock is off, "" for less than a second.

    >>> clock(-3_600_000), clock(90_000), clock(12), clock(None)
    ('1 h behind', '1 min 30 s ahead', '', '')
    """
    if offset_ms is None or abs(offset_ms) < _MIN_CLOCK_MS:
        return ""
    return f"{duration(abs(offset_ms) / 1_000)} {'ahead' if offset_ms > 0 else 'behind'}"


PAGE = Page("", "Hosts", "central_hosts.html", view, ("fleet",), menu="Hosts")
