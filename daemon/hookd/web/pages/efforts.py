"""Efforts: each use of a skill on a task, with its phases and sessions; and handovers."""

from urllib.parse import urlencode

from hookd.store.browse import rules, work
from hookd.web.page import Ask, NothingThere, Page, Values

_LIFECYCLES = ("active", "finished")


async def view(ask: Ask) -> Values:
    """Return the efforts of the chosen project and state, the newest first."""
    project, chosen, before = ask.text("project"), ask.text("lifecycle"), ask.number("before")
    lifecycle = chosen if chosen in _LIFECYCLES else None
    found = await ask.read(lambda db: work.efforts(db, project, lifecycle, before))
    kept = {"project": project or "", "lifecycle": lifecycle or ""}
    return {
        "rows": found.rows,
        "older": urlencode(kept | {"before": str(found.before)}) if found.before else "",
        "newest": urlencode(kept) if before else None,
        "project": project,
        "projects": await ask.read(rules.projects),
        "lifecycle": lifecycle,
        "lifecycles": _LIFECYCLES,
        "topics": [] if before else ["fleet"],
    }


async def one(ask: Ask) -> Values:
    """Return the effort of the number in the path. Raise NothingThere."""
    number = ask.path["number"]
    effort = await ask.read(lambda db: work.effort(db, number))
    if effort is None:
        raise NothingThere(f"There is no effort {number}.")
    return {"effort": effort}


async def handovers(ask: Ask) -> Values:
    """Return what sessions left for the next ones, the newest first."""
    before = ask.number("before")
    found = await ask.read(lambda db: work.handovers(db, before))
    return {"rows": found.rows, "older": found.before, "newest": before is not None}


PAGE = Page("efforts", "Efforts", "efforts.html", view, menu="Efforts")
ONE = Page("efforts/{number:int}", "Effort", "effort.html", one, ("fleet",), section="efforts")
HANDOVERS = Page("handovers", "Handovers", "handovers.html", handovers, section="efforts")
