"""Sessions of all hosts, by their last event, with filters; of one host by number."""

from urllib.parse import urlencode

from hookd.central import board
from hookd.central.board import SessionFilter, SessionPage
from hookd.central.viewer import View
from hookd.core.model.client_names import CLIENTS
from hookd.web.central_pages.fields import clean, session_key, session_text
from hookd.web.page import Ask, Page, Values

_ROWS = 100
_STATUSES = ("attention", "working", "idle", "checked", "done", "error")


async def view(ask: Ask) -> Values:
    """Return the newest sessions that match; with `ended=1` those that have ended, too."""
    fields = {name: clean(ask, name) for name in ("host", "status", "client")}
    every = ask.text("ended") is not None
    before = session_key(ask.text("before"))
    which = SessionFilter(fields["host"], every, fields["status"], fields["client"])

    def read(view: View) -> SessionPage:
        return board.sessions(view, which, before, _ROWS)

    found = await ask.read(read)
    kept = {name: value for name, value in fields.items() if value}
    kept |= {"ended": "1"} if every else {}
    key = session_text(found.before)
    return {
        "rows": found.rows,
        "partial": found.before is not None and len(found.rows) < _ROWS,
        "fields": {name: value or "" for name, value in fields.items()},
        "every": every,
        "statuses": _STATUSES,
        "clients": tuple(CLIENTS),
        "older": urlencode(kept | {"before": key}) if key else "",
        "newest": urlencode(kept) if before else None,
        "topics": [] if before else ["fleet"],
    }


PAGE = Page("sessions", "Sessions", "central_sessions.html", view, menu="Sessions")
