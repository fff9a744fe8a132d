"""A session of a host: what it is, and its events by pages."""

from urllib.parse import urlencode

from hookd.central import board
from hookd.central.board import EventFilter, EventPage, Row
from hookd.central.viewer import View
from hookd.web.central_pages.fields import event_key, event_text, host_of
from hookd.web.central_pages.host import about
from hookd.web.page import Ask, NothingThere, Page, Values

_EVENTS = 200


async def view(ask: Ask) -> Values:
    """Return the session of the numbers in the path. Raise NothingThere."""
    name, epoch, number = host_of(ask), ask.path["epoch"], ask.path["number"]
    before = event_key(ask.text("before"))

    def read(view: View) -> tuple[Row, EventPage] | None:
        session = board.session(view, name, epoch, number)
        if session is None:
            return None
        which = EventFilter((epoch, number))
        return session, board.events(view, name, which, before, _EVENTS)

    found = await ask.read(read)
    if found is None:
        raise NothingThere(f"There is no session {number} of {name}.")
    session, page = found
    return {
        "session": session,
        "rows": [row | {"about": about(row)} for row in page.rows],
        "older": urlencode({"before": event_text(page.before)}) if page.before else "",
        "newest": before is not None,
        "topics": [] if before else ["fleet"],
    }


PAGE = Page(
    "hosts/{host}/sessions/{epoch:int}/{number:int}",
    "Session",
    "central_session.html",
    view,
    section="sessions",
)
