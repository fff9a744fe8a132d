"""What a transcript says is kept once, as its window's, with how far the file was read."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from sqlite3 import Connection
from typing import Any

import pytest

from hookd.core.model.effects.messages import AddMessage
from hookd.events.transcript import Entry
from hookd.redaction.redact import LIMIT
from hookd.store.database import open_database
from hookd.store.transcripts import keep, taken
from support.database_rows import AT, LATER, fill, session, write

FILE = "/home/user/.claude/projects/-work-orders/built.jsonl"
SAID = "2026-01-31T08:59:00.000Z"


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Connection]:
    with closing(open_database(tmp_path / "hookd.db")) as connection:
        fill(connection)
        yield connection


def said(content: str, role: str = "assistant", ref: str = "u/0", **more: Any) -> Entry:
    return Entry(role, content, more.get("tool_name"), ref, more.get("at", SAID))


def take(db: Connection, *entries: Entry, session_id: int = 2, offset: int = 70) -> None:
    keep(db, session_id, entries, path=FILE, offset=offset, at=LATER)


def messages(db: Connection, columns: str = "session_id, role, content") -> list[Any]:
    return db.execute(f"SELECT {columns} FROM messages ORDER BY id").fetchall()


def test_what_was_said_is_kept_with_the_effort_of_its_window(db: Connection) -> None:
    take(
        db,
        said("Done.", ref="u/0"),
        said('{"file_path":"/w/a"}', ref="toolu_01", tool_name="Read", at=None),
    )
    assert messages(db, "session_id, effort_id, role, content, tool_name, ref, timestamp") == [
        (2, 2, "assistant", "Done.", None, "u/0", SAID),
        (2, 2, "assistant", '{"file_path":"/w/a"}', "Read", "toolu_01", LATER),
    ]


def test_it_is_kept_once_however_often_it_is_read(db: Connection) -> None:
    for _ in range(2):
        take(db, said("Add pages", "user", "u/0"), said("Done.", ref="v/0"))
    assert messages(db) == [(2, "user", "Add pages"), (2, "assistant", "Done.")]


def test_what_was_kept_first_stays(db: Connection) -> None:
    take(db, said("Done."))
    before = messages(db, "*")
    take(db, said("Done, at another time.", at=None))
    assert messages(db, "*") == before


def test_a_window_without_an_effort_has_none(db: Connection) -> None:
    take(db, said("Done."), session_id=4)
    assert messages(db, "session_id, effort_id") == [(4, None)]


def test_a_prompt_that_was_kept_when_it_was_submitted_is_not_added_twice(db: Connection) -> None:
    write(db, [AddMessage(2, 2, "user", "Add pages", ref="prompt-1")])
    take(db, said("Add pages", "user"), said("Add pages", "assistant"), said("Add", "user", "w/0"))
    assert messages(db) == [
        (2, "user", "Add pages"),
        (2, "assistant", "Add pages"),
        (2, "user", "Add"),
    ]


def test_a_prompt_that_the_window_before_has_kept_is_not_added_twice(db: Connection) -> None:
    write(db, [AddMessage(2, 2, "user", "Add pages"), session(9, "built", prev_session_id=2)])
    take(db, said("Add pages", "user"), session_id=9)
    assert messages(db) == [(2, "user", "Add pages")]


def test_a_prompt_of_another_conversation_is_another(db: Connection) -> None:
    write(db, [AddMessage(1, 1, "user", "Add pages")])
    take(db, said("Add pages", "user"))
    assert messages(db) == [(1, "user", "Add pages"), (2, "user", "Add pages")]


def test_a_prompt_longer_than_the_cut_is_not_added_twice(db: Connection) -> None:
    whole = "word " * LIMIT
    write(db, [AddMessage(2, 2, "user", whole, ref="prompt-1")])
    take(db, said(whole[:LIMIT], "user"))
    assert len(messages(db)) == 1


def test_what_a_subagent_points_at_is_said_in_its_window(db: Connection) -> None:
    take(db, said("Done."), session_id=3)
    assert messages(db) == [(2, "assistant", "Done.")]
    assert taken(db, 3, FILE) == taken(db, 2, FILE) == 70


def test_a_session_that_is_unknown_keeps_nothing(db: Connection) -> None:
    take(db, said("Done."), session_id=99)
    assert messages(db) == []
    assert taken(db, 99, FILE) == 0


def test_a_transcript_that_was_never_read_begins_at_its_start(db: Connection) -> None:
    assert taken(db, 2, FILE) == 0


def test_the_windows_of_a_conversation_read_its_file_on(db: Connection) -> None:
    take(db, offset=70)
    write(db, [session(9, "built", transcript_path=FILE)])
    assert taken(db, 9, FILE) == 70
    take(db, session_id=9, offset=90)
    assert taken(db, 2, FILE) == taken(db, 9, FILE) == 90
    assert taken(db, 1, FILE) == 0
    assert taken(db, 9, "/another.jsonl") == 0


def test_a_file_that_was_begun_anew_is_so_for_all_windows(db: Connection) -> None:
    write(db, [session(9, "built", transcript_path=FILE)])
    take(db, offset=5_000)
    take(db, session_id=9, offset=12)
    assert taken(db, 2, FILE) == taken(db, 9, FILE) == 12


def test_an_offset_is_that_of_the_file_that_was_read_last(db: Connection) -> None:
    take(db, offset=70)
    keep(db, 2, (), path="/moved.jsonl", offset=12, at=AT)
    assert taken(db, 2, FILE) == 0
    assert taken(db, 2, "/moved.jsonl") == 12


def test_a_secret_in_a_path_is_not_kept_and_the_path_is_still_known(db: Connection) -> None:
    path = "/home/sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789/a.jsonl"
    keep(db, 2, (), path=path, offset=12, at=AT)
    assert taken(db, 2, path) == 12
    ((kept,),) = db.execute("SELECT transcript_path FROM sessions WHERE id = 2").fetchall()
    assert "sk-ant" not in kept
