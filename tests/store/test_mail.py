"""Counts of mail that was not delivered: in all, for the person, held, and without a recipient."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from sqlite3 import Connection

import pytest

from hookd.core.model.effects.mail import DropMail, SendMail
from hookd.core.model.effects.sessions import EndSession
from hookd.store.database import open_database
from hookd.store.mail import mail_counts
from support.database_rows import LATER, fill, write

MAIL = SendMail(
    "builder", "agent", "agent", "x", "Hello.", ("plain", "loose"), 2, "built", expires_at=LATER
)


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Connection]:
    with closing(open_database(tmp_path / "hookd.db")) as connection:
        fill(connection)
        yield connection


def test_mail_that_waits_is_counted_by_who_can_get_it(db: Connection) -> None:
    none = {"waiting": 0, "for_you": 0, "held": 0, "unreachable": 0}
    assert mail_counts(db) == none
    later = replace(MAIL, to_kind="task", conversations=(), task_dir="/work/later")
    person = replace(MAIL, to_kind="person", conversations=())
    write(db, [MAIL, replace(MAIL, held="much"), person, later])
    assert mail_counts(db) == {"waiting": 2, "for_you": 1, "held": 1, "unreachable": 1}
    write(db, [EndSession(1, "other")])
    assert mail_counts(db)["unreachable"] == 1, "one of two recipients is open"
    write(db, [EndSession(4, "other")])
    assert mail_counts(db)["unreachable"] == 2
    write(db, [DropMail(number) for number in (1, 2, 3, 4)])
    assert mail_counts(db) == none
