"""Decisions: what was denied, asked about, allowed or blocked, with filters, live."""

from urllib.parse import urlencode

from hookd.store.browse import decisions
from hookd.store.browse.decisions import EventFilter
from hookd.web.page import Ask, Page, Values

_ROWS = 100
_FIELDS = ("text", "agent", "project", "rule", "decision", "event", "tool")
DECISIONS = ("deny", "ask", "allow", "block", "defer")


async def view(ask: Ask) -> Values:
    """Return the newest decisions that match; with `all=1` silent events, too."""
    fields = {name: ask.text(name) for name in _FIELDS}
    session, everything = ask.number("session"), ask.text("all") is not None
    wanted = EventFilter(**fields, session=session, decided=not everything)
    before = ask.number("before")
    found = await ask.read(lambda db: decisions.page(db, wanted, before, _ROWS))
    kept = {name: value for name, value in fields.items() if value}
    kept |= {"session": str(session)} if session else {}
    kept |= {"all": "1"} if everything else {}
    older = urlencode(kept | {"before": str(found.before)}) if found.before else ""
    return {
        "rows": found.rows,
        "partial": found.partial,
        "older": older,
        "newest": urlencode(kept) if before else None,
        "fields": {name: fields[name] or "" for name in _FIELDS},
        "session": session,
        "everything": everything,
        "choices": DECISIONS,
        # Silent events come with every call; decisions are rare.
        "topics": [] if before else ["events" if everything else "decisions"],
    }


PAGE = Page("decisions", "Decisions", "decisions.html", view, menu="Decisions")
