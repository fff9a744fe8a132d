"""The fleet: every agent and open session by project, live."""

from collections.abc import Iterable, Mapping
from typing import Any

from hookd.display.fleet_order import by_project
from hookd.store.browse import fleet
from hookd.web.page import Ask, Page, Values

_OPTIONAL = {"branch": "branch", "task": "skill", "context": "contextUsage", "claims": "claims"}
"""Columns that may be empty in all rows, each with its key."""


async def view(ask: Ask) -> Values:
    """Return the rows by project; those that were silent for long only with `all`."""
    rows = await ask.read(fleet.rows)
    everything = ask.text("all") is not None
    shown = [row for row in rows if everything or not row["quiet"]]
    return {
        "projects": by_project(shown),
        "columns": filled(shown),
        "hidden": len(rows) - len(shown),
        "everything": everything,
        "waiting": sum(row["status"] == "attention" for row in rows),
        "working": sum(row["status"] == "working" for row in rows),
        "shown": len(shown),
    }


def filled(rows: Iterable[Mapping[str, Any]]) -> set[str]:
    """Return the optional columns that any row fills; the page leaves out the others."""
    return {title for row in rows for title, key in _OPTIONAL.items() if row[key] not in (None, "")}


PAGE = Page("", "Fleet", "fleet.html", view, ("fleet",), menu="Fleet")
