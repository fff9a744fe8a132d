"""One event: what was called, each opinion with its source, the answer, and its duration."""

from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

from hookd.clients.answers import told
from hookd.core.model.facts import iso
from hookd.display.command_risks import command_risks
from hookd.display.explanation import Judges, explain, judges_of
from hookd.store.browse import decisions
from hookd.web.page import Ask, Change, NothingThere, Page, Values

_ALLOWED = timedelta(hours=1)


async def view(ask: Ask) -> Values:
    """Return the event of the number in the path, explained. Raise NothingThere."""
    number = ask.path["number"]
    event = await ask.read(lambda db: decisions.one(db, number))
    if event is None:
        raise NothingThere(f"There is no event {number}: old events are deleted.")
    explained = explain(
        event,
        await _judges(ask, event),
        event["guards"],
        event["hookRuns"],
        told(event["event"], event["answer"]),
    )
    allowable = any(
        step.startswith("hookd allow ") for one in explained.opinions for _, step in one.steps
    )
    risks = await ask.context.reads.run(command_risks, event)
    return {"event": event, "explained": explained, "allowable": allowable, "risks": risks}


async def allow(ask: Ask, _form: Mapping[str, str]) -> str:
    """Allow exactly this call for an hour. Raise DaemonError."""
    until = ask.context.clock() + _ALLOWED
    params = {"eventId": ask.path["number"], "until": iso(until)}
    await ask.call("allowances.add", params)
    return "rules"


async def _judges(ask: Ask, event: dict[str, Any]) -> Judges:
    """Return who evaluates such an event in its project, by the current settings."""
    context = ask.context
    root = (event["facts"] or {}).get("project") or event["project"] or str(Path.home())
    rows = await context.reads.run(context.policies.rows, root)
    own = [row for row in rows if event["event"] in row["events"]]
    off = [row["policy"] for row in own if row["mode"] == "off"]
    return judges_of(event["event"], [row["policy"] for row in own], off)


PAGE = Page("events/{number:int}", "Event", "event.html", view, section="decisions")
ALLOW = Change("events/{number:int}/allow", allow)
