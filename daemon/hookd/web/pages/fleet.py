"""The fleet: every agent and open session by project, live."""

from collections.abc import Iterable, Mapping
from typing import Any

from hookd.store.browse import fleet
from hookd.web.page import Ask, Page, Values


async def view(ask: Ask) -> Values:
    """Return the rows by project; those that were silent for long only with `all`."""
    rows = await ask.read(fleet.rows)
    everything = ask.text("all") is not None
    shown = [row for row in rows if everything or not row["quiet"]]
    return {
        "projects": by_project(shown),
        "hidden": len(rows) - len(shown),
        "everything": everything,
        "waiting": sum(row["status"] == "attention" for row in rows),
        "working": sum(row["status"] == "working" for row in rows),
        "shown": len(shown),
    }


def by_project(rows: Iterable[Mapping[str, Any]]) -> list[tuple[str, list[Mapping[str, Any]]]]:
    """Return the rows of each project, its most urgent first; projects in alphabetical order."""
    found: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        found.setdefault(row["project"] or "", []).append(row)
    for group in found.values():
        group.sort(key=_urgency)
    return sorted(found.items(), key=lambda pair: (pair[0] == "", pair[0]))


_ORDER = ("error", "attention", "working", "checked", "idle", "done")


def _urgency(row: Mapping[str, Any]) -> tuple[int, str]:
    status = row["status"]
    return (_ORDER.index(status) if status in _ORDER else len(_ORDER), row["agent"])


PAGE = Page("", "Fleet", "fleet.html", view, ("fleet",), menu="Fleet")
