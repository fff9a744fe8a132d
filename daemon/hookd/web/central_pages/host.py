"""A host: its state, its events by minute, its open sessions, and its decisions by pages."""

from typing import Any
from urllib.parse import urlencode

from hookd.central import board
from hookd.central.board import EventFilter, EventPage, Row, SessionFilter
from hookd.central.viewer import View
from hookd.display.event_subject import subject_line
from hookd.lazy_dataclass import dataclass
from hookd.web.central_pages.fields import event_key, event_text, host_of
from hookd.web.central_pages.hosts import clock
from hookd.web.central_pages.minutes import HOUR, chart, reader
from hookd.web.page import Ask, NothingThere, Page, Values

_EVENTS = 100
_SESSIONS = 50
_ABOUT_CHARS = 160


@dataclass(frozen=True, slots=True)
class _Found:
    host: Row
    minutes: list[Row]
    sessions: list[Row]
    events: EventPage


async def view(ask: Ask) -> Values:
    """Return a host. Raise NothingThere. With `all=1` also events without a decision."""
    name = host_of(ask)
    everything, before = ask.text("all") is not None, event_key(ask.text("before"))
    times = HOUR.times(ask.context.clock())

    def read(view: View) -> _Found | None:
        host = board.host(view, name)
        if host is None:
            return None
        which = EventFilter(decided=not everything)
        return _Found(
            host,
            reader(HOUR, times, name)(view),
            board.sessions(view, SessionFilter(name), None, _SESSIONS).rows,
            board.events(view, name, which, before, _EVENTS),
        )

    found = await ask.read(read)
    if found is None:
        raise NothingThere(f"There is no host {name}.")
    kept = {"all": "1"} if everything else {}
    return {
        "host": found.host | {"clock": clock(found.host["clockOffsetMs"])},
        "figure": chart(found.minutes, times),
        "sessions": found.sessions,
        "rows": [row | {"about": about(row)} for row in found.events.rows],
        "everything": everything,
        "older": _older(found.events, kept),
        "newest": urlencode(kept) if before else None,
        "partial": found.events.before is not None and len(found.events.rows) < _EVENTS,
        "topics": [] if before else ["fleet"],
    }


def about(row: Row) -> str:
    """Return what an event is about, "" where its host does not send that."""
    return subject_line(row.get("payload"), _ABOUT_CHARS)


def _older(page: EventPage, kept: dict[str, Any]) -> str:
    return urlencode(kept | {"before": event_text(page.before)}) if page.before else ""


PAGE = Page("hosts/{host}", "Host", "central_host.html", view, section="")
