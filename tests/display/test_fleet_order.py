"""Order of the fleet: who needs a person comes first, whatever its project is called."""

from typing import Any

from hookd.display.fleet_order import by_project


def agent(name: str, status: str, project: str | None, at: str | None = "08:00") -> dict[str, Any]:
    moment = at and f"2026-01-31T{at}:00.000Z"
    return {"agent": name, "status": status, "project": project, "statusAt": moment}


def test_projects_and_sessions_are_in_the_order_of_their_urgency() -> None:
    rows = [
        agent("d", "done", "/w/a"),
        agent("w", "working", "/w/a"),
        agent("new", "unheard-of", "/w/a"),
        agent("c", "checked", None),
        agent("late", "attention", "/w/z", "08:05"),
        agent("i", "idle", "/w/z"),
        agent("early", "attention", "/w/z", "08:01"),
        agent("e", "error", "/w/y", None),
    ]
    arranged = [(project, [row["agent"] for row in rows]) for project, rows in by_project(rows)]
    assert arranged == [
        ("/w/y", ["e"]),
        ("/w/z", ["early", "late", "i"]),
        ("/w/a", ["w", "d", "new"]),
        (None, ["c"]),
    ]


def test_an_empty_fleet_has_no_project() -> None:
    assert by_project([]) == []
