"""Claims that may cover a file, views of files, and company."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from sqlite3 import Connection

import pytest

from hookd.core.model.claim import FilePlace, FileView, Stamp
from hookd.core.model.claim_requests import AskedFile, FilesHeld, OpenClaims
from hookd.core.model.effects.claims import AddClaim, ConfirmViews, EndClaims, KeepView
from hookd.core.model.effects.efforts import OpenProject, SetRepository
from hookd.core.model.effects.sessions import EndSession
from hookd.store import writes
from hookd.store.database import open_database
from hookd.store.facts.claims import files_held, open_claims
from hookd.store.facts.rows import SESSION, as_session, one
from support.database_rows import AT, event, session, write

LATER = "2026-01-31T09:30:00.000Z"
CLAIM = AddClaim("/r", "path", "src/a.py", "one", 1, "ann", 1, None, False, None)
OLD, NEW = Stamp(4, 5, 6), Stamp(4, 9, 6)


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Connection]:
    with closing(open_database(tmp_path / "hookd.db")) as connection:
        write(connection, [OpenProject(1, "/r", "r"), session(1, "one", project_id=1)])
        yield connection


def test_the_claims_that_may_cover_a_file_are_found(db: Connection) -> None:
    others = [
        ("path", "src/a.py"), ("path", "src/"), ("path", ""), ("glob", "**/b"), ("path", "docs/"),
        ("path", "src/b.py"), ("resource", "src/a.py"),
    ]  # fmt: skip
    write(db, [replace(CLAIM, kind=kind, pattern=text) for kind, text in others])  # type: ignore[arg-type]
    write(db, [replace(CLAIM, root="/other"), replace(CLAIM, expires_at=AT)])
    place = FilePlace("/r/src/a.py", "/r", "src/a.py")

    def found(*, wide: bool) -> list[int]:
        want = FilesHeld("two", LATER, (AskedFile(place, wide=wide),))
        return [claim.id for claim in files_held(db, want).claims]

    assert found(wide=False) == [1, 2, 3, 4]
    assert found(wide=True) == [1, 2, 3, 4, 5, 6, 7]
    every = open_claims(db, OpenClaims(LATER))
    assert [claim.id for claim in every] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert len(open_claims(db, OpenClaims(LATER, "/other"))) == 1
    assert (every[0].conversation, every[0].agent, every[0].automatic) == ("one", "ann", False)


def view(db: Connection, now: Stamp) -> FileView:
    place = FilePlace("/r/a.py", "/r", "a.py", "file", now)
    (found,) = files_held(db, FilesHeld("one", LATER, (AskedFile(place, "/r/a.py"),))).views
    return found


def ran(db: Connection, number: int, at: str, tool: str = "Read") -> None:
    told = event(number, session_id=1, tool_name=tool, at=at)
    payload = '{"tool_input":{"file_path":"/r/a.py"}}'
    told = replace(told, event="PostToolUse", record=replace(told.record, text=payload))
    writes.record(db, told)


def test_a_view_is_that_of_the_last_call_that_ran(db: Connection) -> None:
    assert view(db, OLD) == FileView()
    write(db, [KeepView("one", 1, "/r/a.py", OLD, "call")])
    assert view(db, OLD) == FileView(), "the call has not run"
    write(db, [ConfirmViews("one", "call")])
    assert view(db, OLD) == view(db, NEW) == FileView(OLD)
    write(db, [KeepView("one", 1, "/r/a.py", NEW, "next"), ConfirmViews("one", "next")])
    assert view(db, NEW) == FileView(NEW)


def test_what_was_read_while_it_was_alone_is_known_by_its_events(db: Connection) -> None:
    ran(db, 1, AT)
    assert view(db, NEW) == FileView(touched_at=AT)
    write(db, [KeepView("one", 1, "/r/a.py", OLD)])
    assert view(db, NEW) == FileView(OLD), "the event is not later than the view"
    ran(db, 2, LATER)
    assert view(db, NEW) == FileView(OLD, touched_at=LATER)


def test_the_last_write_counts_until_the_file_is_read_again(db: Connection) -> None:
    ran(db, 1, AT, "Edit")
    write(db, [KeepView("one", 1, "/r/a.py", OLD)])
    assert view(db, NEW) == FileView(OLD, written_at=AT)
    ran(db, 2, LATER)
    assert view(db, NEW) == FileView(OLD, touched_at=LATER)


def company(db: Connection) -> tuple[bool, bool]:
    own = as_session(one(db, f"{SESSION} WHERE id = 1"))
    assert own is not None
    return own.company, own.claimed


def test_a_session_has_company_while_another_conversation_is_open_in_its_repository(
    db: Connection,
) -> None:
    write(db, [session(2, "one", agent_id="sub", project_id=1), OpenProject(2, "/tree", "tree")])
    write(db, [session(3, "two", project_id=2)])
    assert company(db) == (False, False), "its subagent, and another project"
    write(db, [SetRepository(2, "/r")])
    assert company(db) == (True, False)
    write(db, [EndSession(3, "other")])
    assert company(db) == (False, False)


def test_a_session_sees_that_others_have_claimed(db: Connection) -> None:
    write(db, [CLAIM, replace(CLAIM, conversation="two", automatic=True)])
    assert company(db) == (False, False), "its own, and an automatic one"
    write(db, [replace(CLAIM, conversation="")])
    assert company(db) == (False, True)


EDITED = replace(CLAIM, conversation="two", session_id=2, pattern="a.py", automatic=True)


def since(db: Connection, now: Stamp = NEW) -> list[int]:
    return [claim.id for claim in view(db, now).since]


def test_a_changed_file_is_known_with_the_claims_of_others_since_the_view(db: Connection) -> None:
    write(db, [session(2, "two", project_id=1), EDITED, EndClaims((1,), "holder")])
    write(db, [KeepView("one", 1, "/r/a.py", OLD)], LATER)
    assert since(db) == [], "it had ended before"
    others = (
        EDITED,
        replace(EDITED, pattern="b.py"),
        replace(EDITED, conversation="one"),
        replace(EDITED, root="/other"),
        replace(EDITED, kind="resource", automatic=False),
        replace(EDITED, kind="glob", pattern="src/**", automatic=False),
        replace(EDITED, conversation=""),
    )
    write(db, others, LATER)
    assert since(db) == [2, 7, 8]
    assert since(db, OLD) == [], "it has not changed"
    write(db, [EndClaims((2, 7, 8), "holder")], "2026-01-31T09:30:00.001Z")
    assert since(db) == [2, 7, 8], "they ended after the view"


def test_a_file_that_only_commands_have_opened_has_no_claims_since(db: Connection) -> None:
    write(db, [session(2, "two", project_id=1), EDITED])
    shown = KeepView("one", 1, "/r/a.py", OLD, "call", opened=False)
    write(db, [shown, ConfirmViews("one", "call")])
    assert since(db) == []
    write(db, [KeepView("one", 1, "/r/a.py", OLD, "next"), ConfirmViews("one", "next")])
    assert since(db) == [1]
    write(db, [shown, ConfirmViews("one", "call")])
    assert since(db) == [1], "once opened by a tool"
    write(db, [KeepView("one", 1, "/r/a.py", OLD, opened=False)])
    assert since(db) == [1]


def test_claims_that_ended_before_the_last_read_do_not_count(db: Connection) -> None:
    write(db, [session(2, "two", project_id=1), EDITED, KeepView("one", 1, "/r/a.py", OLD)])
    write(db, [EndClaims((1,), "holder")], "2026-01-31T08:30:00.000Z")
    assert since(db) == [1]
    ran(db, 1, LATER)
    assert since(db) == []


def test_a_file_that_was_read_while_it_was_alone_has_claims_since_then(db: Connection) -> None:
    ran(db, 1, AT)
    write(db, [session(2, "two", project_id=1), EDITED], LATER)
    assert since(db) == [1]
