"""A session: what it is, and its time line with every decision and every text of hookd, live."""

from typing import Any

from hookd.clients.answers import told
from hookd.display.figures import Figure, context
from hookd.display.timeline import Parts, folded, time_line, told_only
from hookd.store.browse import sessions
from hookd.store.browse.connection import Connection
from hookd.store.browse.sessions import SessionRows
from hookd.web.page import Ask, NothingThere, Page, Values

_EVENTS = 200


async def view(ask: Ask) -> Values:
    """Return the session of the number in the path. Raise NothingThere.

    With `show=told` only what the model received; with `show=all` each call on a line of its own.
    """
    number, before = ask.path["number"], ask.number("before")

    def read(db: Connection) -> tuple[dict[str, Any] | None, SessionRows, Figure]:
        history = context(*sessions.context_history(db, number))
        return sessions.one(db, number), sessions.time_line(db, number, before, _EVENTS), history

    session, rows, history = await ask.read(read)
    if session is None:
        raise NothingThere(f"There is no session {number}.")
    parts = Parts(
        rows.events, rows.messages, rows.injections, rows.hook_runs, rows.approvals, session
    )
    entries = time_line(parts, told)
    show = ask.text("show") if ask.text("show") in ("told", "all") else ""
    if show != "all":
        entries = told_only(entries) if show else folded(entries)
    return {
        "session": session,
        "context": history,
        "entries": entries[::-1],
        "older": rows.before,
        "newest": before is not None,
        "show": show,
        "topics": [] if before else [f"session:{number}", "fleet"],
    }


PAGE = Page("sessions/{number:int}", "Session", "session.html", view, section="")
