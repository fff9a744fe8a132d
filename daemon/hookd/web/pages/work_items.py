"""Work items: what is to be done, who does it, and what waits for what."""

from urllib.parse import urlencode

from hookd.store.browse import rules, work
from hookd.web.page import Ask, Page, Values

_STATES = ("open", "taken", "blocked", "done")


async def view(ask: Ask) -> Values:
    """Return the work items of the chosen project and state, the newest first."""
    project, chosen, before = ask.text("project"), ask.text("state"), ask.number("before")
    state = chosen if chosen in _STATES else None
    found = await ask.read(lambda db: work.items(db, project, state, before))
    kept = {"project": project or "", "state": state or ""}
    return {
        "rows": found.rows,
        "older": urlencode(kept | {"before": str(found.before)}) if found.before else "",
        "newest": urlencode(kept) if before else None,
        "project": project,
        "projects": await ask.read(rules.projects),
        "state": state,
        "states": _STATES,
        "topics": [] if before else ["fleet"],
    }


PAGE = Page("work", "Work items", "work_items.html", view, menu="Work")
