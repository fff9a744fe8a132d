"""Writing the outbox: rows that were sent, that were refused, and another epoch."""

from collections.abc import Iterator
from pathlib import Path
from sqlite3 import Connection

import pytest

from hookd.core.model.effects.fleet import (
    AddOutboxRow,
    DropRejected,
    DropShipped,
    NoteContact,
    RejectRow,
    RestartOutbox,
    RetryRejected,
)
from hookd.core.model.effects.sessions import SetBranch
from hookd.store.facts.fleet import membership, waiting
from hookd.store.outbox import Outbox
from hookd.store.writes.forget import forget
from support.database_rows import AT, LATER, write
from support.outbox import bodies, joined, many, member, rows


@pytest.fixture
def host(tmp_path: Path) -> Iterator[tuple[Connection, Outbox]]:
    with member(tmp_path / "hookd.db") as found:
        yield found


@pytest.fixture
def db(host: tuple[Connection, Outbox]) -> Connection:
    return host[0]


def numbers(db: Connection) -> list[int]:
    return [number for (number,) in db.execute("SELECT seq FROM outbox ORDER BY seq")]


def test_sent_rows_go_and_refused_ones_stay(db: Connection) -> None:
    many(db, 4)
    first, second, third, fourth = numbers(db)
    write(db, [RejectRow(second, "no"), DropShipped(third)])
    assert numbers(db) == [second, fourth]
    known = membership(db)
    assert known is not None
    assert known.shipped == third
    assert waiting(db) == 2
    write(db, [DropShipped(first)])
    assert membership(db) == known, "the cursor never goes back"


def test_refused_rows_are_dropped_on_request(db: Connection) -> None:
    many(db, 3)
    first, second, third = numbers(db)
    write(db, [RejectRow(second, "no"), DropRejected()])
    assert numbers(db) == [first, third]


def test_a_refused_row_waits_again_behind_all_others(db: Connection) -> None:
    write(db, [SetBranch(1, "main")])
    many(db, 2)
    session, refused, last = numbers(db)
    write(db, [RejectRow(session, "no"), RejectRow(refused, "no"), RetryRejected()])
    assert numbers(db) == [last, last + 1, last + 2]
    assert sorted(rows(db)) == [("event", 100), ("event", 101), ("session", 1)]
    assert db.execute("SELECT count(*) FROM outbox WHERE rejected IS NULL").fetchone() == (3,)


def test_a_reason_is_kept_without_secrets_and_at_most_500_characters(db: Connection) -> None:
    many(db, 1)
    token = "ghp_" + "a1B2" * 9
    write(db, [RejectRow(numbers(db)[0], f"bad {token}: " + "no, " * 300)])
    ((reason,),) = db.execute("SELECT rejected FROM outbox").fetchall()
    assert (token in reason, len(reason)) == (False, 500)


def test_another_epoch_gives_new_numbers_to_what_the_store_lacks(db: Connection) -> None:
    many(db, 3)
    known, *_ = numbers(db)
    write(db, [RestartOutbox("e2", 5_000, (known,))])
    found = numbers(db)
    assert found[0] > 5_000
    sessions = [("session", number) for number in (1, 2, 3, 4)]
    assert rows(db) == [("event", 101), ("event", 102), *sessions], "open ones are sent again"
    many(db, 1, first=200)
    assert numbers(db)[-1] > found[-1]
    said = membership(db)
    assert said is not None
    assert (said.epoch, said.shipped) == ("e2", 5_000)


def test_another_epoch_of_an_empty_outbox_begins_above_the_stores_number(db: Connection) -> None:
    write(db, [RestartOutbox("e2", 5_000, ())])
    assert numbers(db) == [5_001, 5_002, 5_003, 5_004]


def test_joining_again_keeps_the_epoch_and_the_cursor(db: Connection) -> None:
    write(db, [DropShipped(7), joined("events", epoch="other", accept=("mail",))], LATER)
    known = membership(db)
    assert known is not None
    assert (known.mode, known.accept, known.shipped) == ("events", ("mail",), 7)
    assert known.epoch != "other"


def test_a_report_keeps_the_last_contact(db: Connection) -> None:
    write(db, [NoteContact(True, None, None, 40)])
    write(db, [NoteContact(False, "refused", "ask the admin", None)], LATER)
    sql = "SELECT seen_at, contact_at, problem, next_step, clock_ms FROM fleet_member"
    assert db.execute(sql).fetchall() == [(LATER, AT, "refused", "ask the admin", 40)]


def test_a_host_in_no_fleet_adds_no_row(db: Connection) -> None:
    write(db, [AddOutboxRow("mail", 4, '{"text":"Hi"}')])
    assert rows(db) == [("mail", 4)]
    db.execute("DELETE FROM fleet_membership")
    write(db, [AddOutboxRow("mail", 5, "{}")])
    assert rows(db) == [("mail", 4)]


def test_a_forgotten_session_leaves_the_outbox_and_a_row_that_says_so(
    host: tuple[Connection, Outbox],
) -> None:
    db, outbox = host
    write(db, [SetBranch(1, "main"), SetBranch(4, "main")])
    many(db, 2)
    forget(db, 1)
    assert rows(db) == [("session", 4), ("forget", 1)]
    assert bodies(outbox)[-1] == {"sessions": [1], "events": []}
    db.execute("DELETE FROM fleet_membership")
    forget(db, 2)
    assert rows(db) == [("session", 4), ("forget", 1)], "a host in no fleet tells nobody"
