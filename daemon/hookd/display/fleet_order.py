"""Order of the fleet: sessions that need a person come first. Board and page arrange it alike."""

from collections.abc import Iterable, Mapping
from typing import Any

from hookd.display.amounts import parsed_time

STATUSES = ("error", "attention", "working", "checked", "idle", "done")
"""All statuses, the most urgent first."""

NEEDS_PERSON = ("error", "attention")

_RANKS = {status: rank for rank, status in enumerate(STATUSES)}

Row = Mapping[str, Any]

_Urgency = tuple[int, float, str]


def by_project(rows: Iterable[Row]) -> list[tuple[str | None, list[Row]]]:
    """Return the rows of each project, the most urgent first, and so the projects.

    A row has the keys of `fleet.status`. Of those that need a person, who waits longest comes
    first; the others of a status are in the order of their names.
    """
    found: dict[str | None, list[tuple[_Urgency, Row]]] = {}
    for row in rows:
        found.setdefault(row.get("project"), []).append((_urgency(row), row))
    for ranked in found.values():
        ranked.sort(key=_first)
    groups = sorted(found.items(), key=lambda group: (group[1][0][0], str(group[0])))
    return [(project, [row for _, row in ranked]) for project, ranked in groups]


def _first(pair: tuple[_Urgency, Row]) -> _Urgency:
    return pair[0]


def _urgency(row: Row) -> _Urgency:
    moment = parsed_time(row.get("statusAt")) if row["status"] in NEEDS_PERSON else None
    rank = _RANKS.get(str(row["status"]), len(_RANKS))
    return rank, moment.timestamp() if moment else 0.0, str(row["agent"])
