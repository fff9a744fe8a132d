"""Efforts with their phases and sessions, handovers, and work items."""

from pathlib import Path
from sqlite3 import Connection

import pytest

from hookd.core.model.effects.work_items import AddWorkItem, TakeWorkItem
from hookd.store.browse import fleet, work
from support.browse_rows import database, read
from support.database_rows import write


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    def more(db: Connection) -> None:
        db.execute("UPDATE efforts SET lifecycle = 'finished' WHERE id = 3")
        write(
            db,
            [
                AddWorkItem(1, 1, "Parse", "dates", None, "person"),
                AddWorkItem(2, 1, "Document", None, None, "person", after=(1,)),
                AddWorkItem(3, 2, "Build", None, None, "person"),
                TakeWorkItem(1, "built", 2, "builder", 600),
            ],
        )

    return database(tmp_path_factory.mktemp("work") / "hookd.db", more)


@pytest.mark.parametrize(
    ("project", "lifecycle", "expected"),
    [
        (None, None, [3, 2, 1]),
        (None, "active", [2, 1]),
        ("/work/orders", "finished", [3]),
        ("/nowhere", None, []),
    ],
)
def test_efforts_are_listed(
    path: Path, project: str | None, lifecycle: str | None, expected: list[int]
) -> None:
    page = read(path, lambda db: work.efforts(db, project, lifecycle))
    assert [row["id"] for row in page.rows] == expected


def test_efforts_have_pages(path: Path) -> None:
    page = read(path, lambda db: work.efforts(db, limit=2))
    assert page.before == 2
    rest = read(path, lambda db: work.efforts(db, before=page.before, limit=2))
    assert ([row["id"] for row in rest.rows], rest.before) == ([1], None)


def test_an_effort_has_its_phases_and_sessions(path: Path) -> None:
    found = read(path, lambda db: work.effort(db, 2))
    assert found is not None
    assert (found["agent"], found["sessions"], found["title"]) == ("builder", 2, "Pages")
    assert [row["id"] for row in found["windows"]] == [3, 2]
    first = read(path, lambda db: work.effort(db, 1))
    assert first is not None
    assert [row["phase"] for row in first["phases"]] == ["0: Setup"]
    assert read(path, lambda db: work.effort(db, 99)) is None


def test_handovers_are_listed(path: Path) -> None:
    page = read(path, work.handovers)
    assert [(row["sessionId"], row["handover"]) for row in page.rows] == [
        (2, {"summary": "Half of it"})
    ]
    assert read(path, lambda db: work.handovers(db, before=2)).rows == []


def test_work_items_are_listed_with_their_owners_and_what_they_wait_for(path: Path) -> None:
    page = read(path, lambda db: work.items(db, "/work/orders"))
    rows = [(row["id"], row["state"], row["agent"], row["waitsFor"]) for row in page.rows]
    assert rows == [(2, "open", None, [1]), (1, "taken", "builder", [])]
    assert [row["id"] for row in read(path, lambda db: work.items(db, state="taken")).rows] == [1]
    first = read(path, lambda db: work.items(db, limit=2))
    assert ([row["id"] for row in first.rows], first.before) == ([3, 2], 2)
    assert read(path, lambda db: work.items(db, before=1)).rows == []


def test_the_fleet_names_the_items_of_each_agent(path: Path) -> None:
    rows = {row["agent"]: row["work"] for row in read(path, fleet.rows)}
    assert rows["builder"] == "#1 Parse"
    assert rows["session 1"] is None
