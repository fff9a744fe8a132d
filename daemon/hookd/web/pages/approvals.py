"""Permission requests: those that wait for a person, with buttons if changes are allowed."""

from collections.abc import Mapping
from typing import Any

from hookd.web.context import DaemonError
from hookd.web.page import Ask, Change, Page, Values

_ENDED = 50
_MAX_MESSAGE_CHARS = 4_000
ANSWERS = ("allow", "deny", "dialog")


async def view(ask: Ask) -> Values:
    """Return the requests of the daemon: those that wait, and the last ones that ended."""
    waiting = await ask.call("approvals.list", {"pending": True})
    ended = await ask.call("approvals.list", {"pending": False, "limit": _ENDED})
    return {"pending": waiting["approvals"], "ended": ended["approvals"]}


async def answer(ask: Ask, form: Mapping[str, str]) -> str:
    """Answer a request with the button that was pressed. Raise DaemonError."""
    said = form.get("answer", "")
    if said not in ANSWERS:
        raise DaemonError("The form has no answer: allow, deny or dialog.")
    params: dict[str, Any] = {"id": ask.path["number"], "answer": said, "via": "web"}
    if said == "deny" and (message := form.get("message", "").strip()):
        params["message"] = message[:_MAX_MESSAGE_CHARS]
    await ask.call("approvals.answer", params)
    return "approvals"


PAGE = Page("approvals", "Approvals", "approvals.html", view, ("approvals",), menu="Approvals")
ANSWER = Change("approvals/{number:int}", answer)
