"""One event: what was called, each opinion with its reason, and the answer."""

from hookd.store.browse import decisions
from hookd.web.page import Ask, NothingThere, Page, Values


async def view(ask: Ask) -> Values:
    """Return the event of the number in the path. Raise NothingThere."""
    number = ask.path["number"]
    event = await ask.read(lambda db: decisions.one(db, number))
    if event is None:
        raise NothingThere(f"There is no event {number}: old events are deleted.")
    return {"event": event}


PAGE = Page("events/{number:int}", "Event", "event.html", view, section="decisions")
