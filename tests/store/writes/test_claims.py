"""Claims end with their session or their time, and views get their hashes."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from sqlite3 import Connection

import pytest

from hookd.core.model.claim import Stamp
from hookd.core.model.effects.claims import AddClaim, ConfirmViews, KeepView
from hookd.core.model.effects.sessions import EndSession
from hookd.store.database import open_database
from hookd.store.writes.claims import end_overdue, keep_hash, unhashed
from support.database_rows import AT, session, write

LATER = "2026-01-31T09:30:00.000Z"
CLAIM = AddClaim("/", "path", "a.py", "one", 1, None, None, None, False, None)
STATE = Stamp(4, 5, 6)


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Connection]:
    with closing(open_database(tmp_path / "hookd.db")) as connection:
        write(connection, [session(1, "one"), session(2, "two"), CLAIM])
        yield connection


def ended(db: Connection) -> list[tuple[str, str | None]]:
    return db.execute("SELECT pattern, released_by FROM claims ORDER BY id").fetchall()


@pytest.mark.parametrize("reason", ["other", "clear", "idle", "process ended", "restart"])
def test_a_claim_ends_with_the_last_session_of_its_conversation(
    db: Connection, reason: str
) -> None:
    write(db, [session(3, "one"), session(4, "one", agent_id="sub", parent_session_id=3)])
    write(db, [EndSession(1, reason)])
    assert ended(db) == [("a.py", None)], "another window of the conversation is open"
    write(db, [EndSession(4, "other")])
    assert ended(db) == [("a.py", None)], "only a subagent ended"
    write(db, [EndSession(3, reason)])
    assert ended(db) == [("a.py", "session")]


@pytest.mark.parametrize("reason", ["compact", "superseded"])
def test_the_next_window_of_a_conversation_holds_what_it_held(db: Connection, reason: str) -> None:
    write(db, [EndSession(1, reason), session(3, "one")])
    assert ended(db) == [("a.py", None)]


def test_a_subagent_that_ends_between_two_windows_ends_no_claim(db: Connection) -> None:
    write(db, [session(4, "one", agent_id="sub", parent_session_id=1), EndSession(1, "compact")])
    write(db, [EndSession(4, "other")])
    assert ended(db) == [("a.py", None)]


def test_a_claim_ends_with_its_session_though_a_subagent_is_open(db: Connection) -> None:
    write(db, [session(4, "one", agent_id="sub"), EndSession(1, "other")])
    assert ended(db) == [("a.py", "session")]


def test_a_window_of_another_conversation_that_follows_holds_nothing(db: Connection) -> None:
    write(db, [EndSession(1, "superseded"), session(3, "three")])
    assert ended(db) == [("a.py", "session")]


def test_what_is_overdue_ends_and_a_person_needs_no_session(db: Connection) -> None:
    person = replace(CLAIM, conversation="", session_id=None, pattern="b.py")
    write(db, [person, replace(person, pattern="c.py", expires_at=AT)])
    db.execute("UPDATE sessions SET ended_at = ? WHERE id = 1", (AT,))
    assert end_overdue(db, LATER) == 2
    assert ended(db) == [("a.py", "session"), ("b.py", None), ("c.py", "time")]
    assert end_overdue(db, LATER) == 0


def test_a_view_gets_its_hash_if_the_state_is_still_the_same(db: Connection) -> None:
    large = Stamp(2_000_000, 5, 6)
    write(db, [KeepView("one", 1, "/a", STATE), KeepView("one", 1, "/b", large)])
    write(db, [KeepView("one", 1, "/c", STATE, "call"), KeepView("two", 2, "/a", STATE)])
    assert unhashed(db, "one") == (("/a", STATE),)
    keep_hash(db, "one", "/a", Stamp(4, 5, 7), "old")
    assert unhashed(db, "one") == (("/a", STATE),)
    keep_hash(db, "one", "/a", STATE, "digest")
    assert unhashed(db, "one") == ()
    write(db, [ConfirmViews("one", "call")])
    assert unhashed(db, "one") == (("/c", STATE),)
    write(db, [KeepView("one", 1, "/a", STATE)])
    assert ("/a", STATE) in unhashed(db, "one"), "seen again"
