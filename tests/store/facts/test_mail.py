"""What a decision may know of mail: one mail, the agents, the traffic, an inbox."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from sqlite3 import Connection, IntegrityError
from typing import Any

import pytest

from hookd.core.model.effects.efforts import SetRepository
from hookd.core.model.effects.mail import DropMail, ReadMail, SendMail
from hookd.core.model.effects.messages import OfferInjections
from hookd.core.model.effects.sessions import EndSession, Remember
from hookd.core.model.mail import Mail, OpenAgent
from hookd.core.model.mail_requests import (
    InboxOf,
    MailById,
    MailByKey,
    MailRequest,
    MailTraffic,
    NextMail,
    OpenAgents,
)
from hookd.store import facts
from hookd.store.database import open_database
from hookd.store.writes import set_client_version
from support.database_rows import AT, LATER, fill, session, write

MAIL = SendMail(
    "builder", "agent", "session", "session 1", "Hello.", ("plain",), 2, "built", "", 1,
    expires_at=LATER,
)  # fmt: skip
BEFORE = "2026-01-31T07:00:00.000Z"


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Connection]:
    with closing(open_database(tmp_path / "hookd.db")) as connection:
        fill(connection)
        yield connection


def ask(db: Connection, want: MailRequest) -> Any:
    found = facts.seen(db, [want])
    assert found is not None
    return found[want]


def test_a_mail_is_found_by_its_number(db: Connection) -> None:
    assert (ask(db, NextMail()), ask(db, MailById(1))) == (1, None)
    write(db, [MAIL])
    assert ask(db, NextMail()) == 2
    assert ask(db, MailById(1)) == Mail(
        1, 1, "builder", "agent", "built", "session", "session 1", ("plain",), "waiting", 1,
        expires_at=LATER,
    )  # fmt: skip


def test_a_mail_is_found_by_the_key_of_its_sender(db: Connection) -> None:
    person = replace(MAIL, sender_conversation=None, sender_session_id=None)
    write(db, [replace(MAIL, key="call-0001"), replace(person, key="call-0001"), MAIL, MAIL])
    for conversation, number in (("built", 1), (None, 2)):
        found = ask(db, MailByKey("call-0001", conversation))
        assert found == ask(db, MailById(number))
    assert ask(db, MailByKey("call-0001", "plain")) is None
    assert ask(db, MailByKey("call-0002", "built")) is None
    with pytest.raises(IntegrityError):
        write(db, [replace(MAIL, key="call-0001")])


def test_agents_are_known_with_all_that_may_wake_them(db: Connection) -> None:
    place = {"tmux_pane": "%1", "tmux_socket": "/tmp/tmux-1/default", "client_process": "7:1"}
    write(db, [
        session(5, "inbox", messaging_socket="/run/5.sock", **place),
        Remember(2, "mail-wake", {"waker": "w", "last": 0, "seen": AT}),
        Remember(5, "mail-wake", {"waker": "w", "last": 3}),
        replace(MAIL, conversations=("inbox",)),
        replace(MAIL, conversations=("inbox",)),
        replace(MAIL, conversations=("inbox",), priority="low"),
    ])  # fmt: skip
    set_client_version(db, 5, "2.1.330")
    (injection,) = db.execute("SELECT min(id) FROM injections WHERE session_id = 5").fetchone()
    write(db, [OfferInjections((injection,), 1)])
    known = {
        one.session_id: (one.inbox, one.version, one.waker_seen, one.in_tmux, one.waiting)
        for one in ask(db, OpenAgents())
    }
    assert known[2] == (None, None, AT, False, 0)
    assert known[5] == ("/run/5.sock", "2.1.330", None, True, 1)


def test_agents_are_the_open_windows_with_the_tasks_of_active_efforts(db: Connection) -> None:
    write(db, [EndSession(4, "other"), SetRepository(1, "/work/common")])
    task = "/work/orders/pagination"
    assert ask(db, OpenAgents()) == (
        OpenAgent(1, "plain", None, None, "/work/common", "/work/orders", task, "idle"),
        OpenAgent(2, "built", "builder", None, "/work/common", "/work/orders", task, "idle"),
    )


def test_traffic_counts_both_directions_of_an_hour(db: Connection) -> None:
    back = replace(MAIL, conversations=("built",), sender_session_id=1, sender_conversation="plain")
    write(db, [MAIL, back, replace(MAIL, conversations=("plain", "loose"))])
    write(db, [replace(MAIL, sender_kind="person", sender_conversation=None)])
    write(
        db, [replace(MAIL, conversations=(), to_kind="person"), replace(MAIL, conversations=("x",))]
    )
    write(db, [replace(MAIL, conversations=(), to_kind="task", task_dir="/t"), DropMail(6)])
    write(db, [MAIL], BEFORE)
    counts = dict(ask(db, MailTraffic("built", "builder", BEFORE)))
    assert counts == {"plain": 3, "loose": 1, "@person": 1, "/t": 1}
    assert dict(ask(db, MailTraffic("plain", "x", BEFORE))) == {"built": 3}


def test_traffic_of_an_agent_without_a_session_goes_by_its_name(db: Connection) -> None:
    write(db, [replace(MAIL, sender="codex", sender_conversation=None), MAIL])
    assert dict(ask(db, MailTraffic(None, "codex", BEFORE))) == {"plain": 1}
    assert ask(db, MailTraffic(None, "other", BEFORE)) == ()


def inbox(db: Connection, conversation: str | None, **more: Any) -> list[tuple[int, str]]:
    given = {"id": None, "sender": None, "every": False, "limit": 10} | more
    return [(one.id, one.state) for one in ask(db, InboxOf(conversation, **given))]


def test_an_inbox_has_what_waits_oldest_first(db: Connection) -> None:
    write(db, [MAIL, replace(MAIL, sender="other"), MAIL, replace(MAIL, conversations=("loose",))])
    (number,) = db.execute("SELECT id FROM injections WHERE mail_id = 1").fetchone()
    write(db, [OfferInjections((number,), 1), ReadMail((3,), 1)])
    assert inbox(db, "plain") == [(2, "waiting")]
    assert inbox(db, "plain", every=True) == [(1, "offered"), (2, "waiting"), (3, "delivered")]
    assert inbox(db, "plain", every=True, limit=1) == [(3, "delivered")]
    assert inbox(db, "plain", every=True, sender="other") == [(2, "waiting")]
    assert inbox(db, "plain", id=3) == [(3, "delivered")]
    assert inbox(db, "unknown", every=True) == []


def test_one_mail_is_read_by_its_sender_its_recipient_and_a_person(db: Connection) -> None:
    write(db, [MAIL])
    assert inbox(db, "built", id=1) == [(1, "waiting")]
    assert inbox(db, "loose", id=1) == []
    assert inbox(db, None, id=1) == []
    assert inbox(db, None, id=1, person=True) == [(1, "waiting")]


def test_mail_to_the_person_is_in_no_conversations_inbox(db: Connection) -> None:
    write(db, [replace(MAIL, to_kind="person", conversations=())])
    assert inbox(db, None) == [(1, "waiting")]
    assert inbox(db, "plain") == []


def test_the_windows_of_a_conversation_are_one_recipient(db: Connection) -> None:
    write(db, [MAIL, ReadMail((1,), 1), session(9, "plain")], AT)
    assert inbox(db, "plain", every=True) == [(1, "delivered")]
