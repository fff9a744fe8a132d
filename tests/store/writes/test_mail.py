"""Writing mail: who gets an injection of it, once, and how each mail ends."""

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from sqlite3 import Connection, IntegrityError
from typing import Any, get_args

import pytest

from hookd.core.model.effects.efforts import OpenProject, SetRepository
from hookd.core.model.effects.mail import (
    DropMail,
    ExpireMail,
    MoveMail,
    QueueTaskMail,
    ReadMail,
    ReleaseMail,
    SendMail,
    SettleMail,
)
from hookd.core.model.effects.messages import (
    AddInjection,
    ConfirmInjections,
    LoseAnswer,
    MoveInjections,
    OfferInjections,
)
from hookd.core.model.effects.sessions import EndSession
from hookd.core.model.effects.union import MailEffect
from hookd.store.database import open_database
from hookd.store.facts import _INJECTIONS
from hookd.store.facts.rows import as_injection
from support.database_rows import AT, LATER, fill, session, write

MAIL = SendMail(
    "builder", "agent", "session", "session 1", "Hello.", ("plain",), 2, "built",
    "session 2", 1, expires_at=LATER,
)  # fmt: skip
TASK = replace(MAIL, to_kind="task", conversations=("plain",), task_dir="/work/orders/pagination")
KEY = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789"


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Connection]:
    with closing(open_database(tmp_path / "hookd.db")) as connection:
        fill(connection)
        connection.execute("DELETE FROM injections")
        yield connection


def queued(db: Connection) -> list[Any]:
    """Return mail, session and whether it was delivered, of all injections of mail."""
    sql = (
        "SELECT mail_id, session_id, delivered_at IS NOT NULL FROM injections"
        " WHERE mail_id IS NOT NULL ORDER BY id"
    )
    return db.execute(sql).fetchall()


def states(db: Connection) -> list[str]:
    return [state for (state,) in db.execute("SELECT state FROM agent_mail ORDER BY id")]


def test_a_mail_is_queued_for_its_conversation(db: Connection) -> None:
    write(db, [MAIL])
    assert queued(db) == [(1, 1, 0)]
    row = db.execute("SELECT * FROM agent_mail").fetchone()
    assert row[:3] == (1, 1, None)
    ((source, content),) = db.execute("SELECT source, content FROM injections")
    assert source == "hookd:mail"
    assert content.startswith("[hookd:mail] Message 1 from agent builder (session 2).")
    (framed,) = db.execute("SELECT framed FROM agent_mail").fetchone()
    assert content == framed


def test_a_conversation_gets_it_in_its_last_window_once(db: Connection) -> None:
    write(db, [EndSession(1, "other"), session(8, "plain", project_id=1)])
    write(db, [session(9, "plain", agent_id="sub", parent_session_id=8)])
    write(db, [replace(MAIL, conversations=("plain", "plain", "none"))])
    assert queued(db) == [(1, 8, 0)]


def test_secrets_and_control_characters_are_not_stored(db: Connection) -> None:
    write(db, [replace(MAIL, text=f"key {KEY}\x1b[1m", sender=KEY, recipient=KEY)])
    (text,) = db.execute("SELECT json_group_array(text || framed || sender) FROM agent_mail")
    assert KEY not in str(text)
    assert "\x1b" not in str(text)


def test_answers_are_of_one_thread(db: Connection) -> None:
    write(db, [MAIL, replace(MAIL, reply_to=1), replace(MAIL, reply_to=2), MAIL])
    rows = db.execute("SELECT id, thread_id, reply_to FROM agent_mail ORDER BY id").fetchall()
    assert rows == [(1, 1, None), (2, 1, 1), (3, 1, 2), (4, 4, None)]


def test_held_mail_waits_for_its_release(db: Connection) -> None:
    write(db, [replace(MAIL, held="too much")])
    assert (queued(db), states(db)) == ([], ["held"])
    write(db, [ReleaseMail(1, "2026-02-01T08:00:00.000Z")])
    assert (queued(db), states(db)) == ([(1, 1, 0)], ["waiting"])
    write(db, [ReleaseMail(1, "2026-02-01T08:00:00.000Z")])
    assert queued(db) == [(1, 1, 0)]


def test_a_record_of_another_channel_is_not_queued(db: Connection) -> None:
    write(db, [replace(MAIL, channel="claude-code")])
    assert (queued(db), states(db)) == ([], ["sent"])


@pytest.mark.parametrize(
    ("effect", "state"), [(DropMail(1), "dropped"), (ExpireMail(1), "expired")]
)
def test_mail_that_ends_is_taken_back_where_it_was_not_offered(
    effect: MailEffect, state: str, db: Connection
) -> None:
    write(db, [replace(MAIL, conversations=("plain", "loose"))])
    (number,) = db.execute("SELECT id FROM injections WHERE session_id = 4").fetchone()
    write(db, [OfferInjections((number,), 1), effect])
    assert (queued(db), states(db)) == ([(1, 4, 0)], [state])


def test_mail_to_a_task_is_queued_for_who_joins_it_once(db: Connection) -> None:
    write(db, [SetRepository(1, "/work"), SetRepository(2, "/work"), TASK])
    late = QueueTaskMail(4, "/work/orders/pagination")
    write(db, [late, late, QueueTaskMail(1, "/work/orders/pagination")])
    assert queued(db) == [(1, 1, 0), (1, 4, 0)]
    write(db, [QueueTaskMail(2, "/work/orders/pagination")])
    assert queued(db) == [(1, 1, 0), (1, 4, 0)], "the sender does not get its own"
    write(db, [session(9, "loose", project_id=2)])
    write(db, [QueueTaskMail(9, "/work/orders/pagination")])
    assert queued(db) == [(1, 1, 0), (1, 4, 0)], "the conversation has it already"


@pytest.mark.parametrize(
    "mail",
    [
        replace(TASK, task_dir="/work/other"),
        replace(TASK, expires_at=AT),
        replace(TASK, held="too much"),
        MAIL,
    ],
)
def test_who_joins_a_task_gets_no_other_mail(mail: SendMail, db: Connection) -> None:
    write(db, [SetRepository(1, "/work"), SetRepository(2, "/work"), mail])
    write(db, [QueueTaskMail(4, "/work/orders/pagination")], LATER)
    assert [row for row in queued(db) if row[1] == 4] == []


def test_who_joins_a_task_gets_mail_of_its_own_repository_only(db: Connection) -> None:
    write(db, [
        OpenProject(3, "/far", "far"),
        *(SetRepository(*one) for one in ((1, "/work"), (2, "/work"), (3, "/far"))),
        session(8, "near", project_id=2),
        session(9, "far", project_id=3),
        replace(TASK, conversations=(), project_id=1),
        replace(TASK, conversations=(), project_id=None, sender_kind="person"),
    ])  # fmt: skip
    write(db, [QueueTaskMail(number, "/work/orders/pagination") for number in (8, 9)])
    assert queued(db) == [(1, 8, 0), (2, 8, 0), (2, 9, 0)], "a person writes to all"
    write(db, [QueueTaskMail(9, "/work/orders/pagination", across_projects=True)])
    assert (1, 9, 0) in queued(db)


def test_undelivered_mail_moves_with_its_conversation_and_other_texts_do_not(
    db: Connection,
) -> None:
    write(db, [MAIL, MAIL, AddInjection(1, "directive", "x")])
    write(db, [OfferInjections((1,), 1), ConfirmInjections(1)])
    write(db, [session(9, "plain"), MoveMail(1, 9)])
    assert queued(db) == [(1, 1, 1), (2, 9, 0)]
    write(db, [session(10, "other"), MoveInjections(1, 10)])
    assert db.execute("SELECT session_id FROM injections WHERE mail_id IS NULL").fetchall() == [
        (10,)
    ]
    write(db, [MoveInjections(9, 10)])
    assert queued(db) == [(1, 1, 1), (2, 9, 0)], "only MoveMail moves mail"


def test_read_mail_is_delivered(db: Connection) -> None:
    write(db, [MAIL, MAIL, replace(MAIL, conversations=("loose",))])
    write(db, [ReadMail((1, 3), 1)])
    assert queued(db) == [(1, 1, 1), (2, 1, 0), (3, 4, 0)]
    person = replace(MAIL, to_kind="person", conversations=())
    write(db, [person, person, ReadMail((1, 4))])
    assert states(db) == ["waiting", "waiting", "waiting", "delivered", "waiting"]


def test_a_settled_mail_is_delivered(db: Connection) -> None:
    write(db, [MAIL, SettleMail(1)])
    assert states(db) == ["delivered"]


def test_the_overview_says_delivered_once_all_have_it(db: Connection) -> None:
    write(db, [replace(MAIL, conversations=("plain", "loose"))])
    sql = "SELECT state, recipients, delivered FROM mail_overview"
    for number, expected in ((1, ("waiting", 2, 1)), (4, ("delivered", 2, 2))):
        ids = [
            row[0]
            for row in db.execute("SELECT id FROM injections WHERE session_id = ?", (number,))
        ]
        write(db, [OfferInjections(tuple(ids), 7), ConfirmInjections(number)])
        assert db.execute(sql).fetchone() == expected
    write(db, [LoseAnswer(7)])
    assert db.execute(sql).fetchone() == ("waiting", 2, 0)


def test_a_session_cannot_have_a_mail_twice(db: Connection) -> None:
    write(db, [MAIL])
    with pytest.raises(IntegrityError):
        db.execute(
            "INSERT INTO injections (session_id, source, content, created_at, mail_id)"
            " SELECT session_id, source, content, created_at, mail_id FROM injections"
        )


def test_the_priority_comes_with_the_injection(db: Connection) -> None:
    write(db, [replace(MAIL, priority="high"), AddInjection(1, "directive", "x")])
    found = [as_injection(row) for row in db.execute(_INJECTIONS, (1, 9))]
    assert [one.priority for one in found] == ["high", "normal"]


def test_the_lists_in_a_mail_are_json(db: Connection) -> None:
    write(db, [MAIL])
    ((ids,),) = db.execute("SELECT conversations_json FROM agent_mail")
    assert json.loads(ids) == ["plain"]


def test_every_effect_of_mail_is_tested_here() -> None:
    text = Path(__file__).read_text()
    assert [one.__name__ for one in get_args(MailEffect) if text.count(one.__name__) < 2] == []
