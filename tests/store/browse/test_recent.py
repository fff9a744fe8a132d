"""The newest numbers and names of a database, and none of what cannot be read."""

import sqlite3
from pathlib import Path

import pytest

from hookd.store.browse.recent import recent
from support.browse_rows import called, database, denied, recorded


@pytest.fixture(scope="module")
def some(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rows = recorded(called(70, 1), denied(71, 1), called(72, 2))
    return database(tmp_path_factory.mktemp("recent") / "hookd.db", rows)


@pytest.mark.parametrize(
    "what", ["events", "decisions", "sessions", "efforts", "agents", "guards", "approvals"]
)
def test_each_is_read(some: Path, what: str) -> None:
    found = recent(some, what)
    assert len(found) == len({key for key, _ in found}) <= 200


def test_numbers_are_the_newest_the_newest_first(some: Path) -> None:
    assert [key for key, _ in recent(some, "sessions")] == ["4", "3", "2", "1"]
    assert recent(some, "events")[:2] == [("72", "PreToolUse Bash"), ("71", "PreToolUse Bash deny")]


def test_decisions_are_denials_and_questions(some: Path) -> None:
    assert recent(some, "decisions") == [("71", "PreToolUse Bash deny")]


def test_what_cannot_be_read_has_none(tmp_path: Path) -> None:
    assert recent(tmp_path / "none.db", "events") == []
    (tmp_path / "text.db").write_text("no database")
    assert recent(tmp_path / "text.db", "events") == []
    sqlite3.connect(tmp_path / "empty.db").close()
    assert recent(tmp_path / "empty.db", "events") == []
