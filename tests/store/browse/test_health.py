"""Health of the database: sizes, events, and what was missed."""

from pathlib import Path

from hookd.store.browse.health import health
from support.browse_rows import called, database, read, recorded
from support.database_rows import AT


def test_the_database_says_how_it_is(tmp_path: Path) -> None:
    path = database(tmp_path / "hookd.db", recorded(called(3, 1), called(5, 1)))
    found = read(path, lambda db: health(db, path))
    assert found.file == path.stat().st_size or found.file > 0
    assert (found.events, found.sessions, found.open) == (3, 4, 4)
    assert (found.oldest, found.newest) == (
        "2026-01-31T08:03:00.000Z", "2026-01-31T08:05:00.000Z",
    )  # fmt: skip
    assert (found.uncounted, found.damaged) == (5, 0)
    assert [(row["event"], row["count"], row["lastAt"]) for row in found.missed] == [
        ("Stop", 3, AT)
    ]


def test_a_database_without_events_is_healthy(tmp_path: Path) -> None:
    path = database(tmp_path / "hookd.db")
    found = read(path, lambda db: health(db, path))
    assert (found.events, found.oldest, found.uncounted) == (0, None, 0)
