"""Efforts with their phases and sessions, and handovers."""

from pathlib import Path

import pytest

from hookd.store.browse import work
from support.browse_rows import database, read


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return database(
        tmp_path_factory.mktemp("work") / "hookd.db",
        lambda db: db.execute("UPDATE efforts SET lifecycle = 'finished' WHERE id = 3"),
    )


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
