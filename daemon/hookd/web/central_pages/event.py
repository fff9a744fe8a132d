"""An event of a host, as it was sent: with payload and answer in the mode `events`."""

from hookd.central import board
from hookd.central.board import Row
from hookd.central.viewer import View
from hookd.web.central_pages.fields import host_of
from hookd.web.page import Ask, NothingThere, Page, Values


async def view(ask: Ask) -> Values:
    """Return the event of the numbers in the path. Raise NothingThere."""
    name, epoch, number = host_of(ask), ask.path["epoch"], ask.path["number"]

    def read(view: View) -> Row | None:
        return board.event(view, name, epoch, number)

    found = await ask.read(read)
    if found is None:
        raise NothingThere(f"There is no such event of {name}.")
    return {"event": found, "host": name}


PAGE = Page(
    "hosts/{host}/events/{epoch:int}/{number:int}", "Event", "central_event.html", view, section=""
)
