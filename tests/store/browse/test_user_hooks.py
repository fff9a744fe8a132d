"""Runs of user hooks: filters, pages that reach every run, and sums."""

from pathlib import Path
from sqlite3 import Connection

import pytest

from hookd.store.browse import user_hooks
from support.browse_rows import called, database, read, recorded


def ran(db: Connection) -> None:
    db.executemany(
        "INSERT INTO hook_runs (event_id, hook_id, exit_code, error, decision, duration_ms,"
        " created_at) VALUES (1, ?, ?, ?, ?, ?, '2026-01-31T08:01:00.000Z')",
        [
            ("lint", 0, None, None, 10.0),
            ("lint", 1, None, None, 30.0),
            ("stop", 2, None, "block", 1.0),
            ("stop", None, "timed out", None, 5_000.0),
        ],
    )


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("hooks") / "hookd.db"
    return database(file, recorded(called(1, 1)), ran)


def test_runs_are_listed_with_their_event(path: Path) -> None:
    rows = read(path, user_hooks.runs).rows
    assert [row["hook"] for row in rows] == ["stop", "stop", "lint", "lint"]
    assert (rows[0]["event"], rows[0]["sessionId"], rows[0]["fault"]) == (
        "PreToolUse", 1, "timed out",
    )  # fmt: skip


def test_runs_of_a_hook_and_failed_ones_can_be_shown(path: Path) -> None:
    assert len(read(path, lambda db: user_hooks.runs(db, "lint")).rows) == 2
    failed = read(path, lambda db: user_hooks.runs(db, failed=True)).rows
    assert [row["exitCode"] for row in failed] == [None, 1]


def test_pages_have_every_run_once(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(user_hooks, "_WINDOW", 2)
    seen: list[int] = []
    before = None
    while True:
        page = read(path, lambda db, at=before: user_hooks.runs(db, before=at, limit=1))
        seen += [row["id"] for row in page.rows]
        before = page.before
        if before is None:
            break
    assert seen == [4, 3, 2, 1]


def test_a_database_without_runs_has_none(tmp_path: Path) -> None:
    empty = database(tmp_path / "hookd.db")
    assert read(empty, user_hooks.runs).rows == []
    assert read(empty, user_hooks.by_hook) == []


def test_each_hook_has_sums(path: Path) -> None:
    rows = {row["hook"]: row for row in read(path, user_hooks.by_hook)}
    lint = rows["lint"]
    assert (lint["runs"], lint["failed"], lint["meanMs"], lint["mostMs"]) == (2, 1, 20.0, 30.0)
    assert (rows["stop"]["failed"], rows["stop"]["decided"]) == (1, 1)
