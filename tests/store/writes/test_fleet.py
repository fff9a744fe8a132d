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
from hookd.store import writes
from hookd.store.facts.fleet import membership, waiting
from hookd.store.outbox import Outbox
from hookd.store.writes.forget import forget
from support.database_rows import AT, LATER, event, write
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


def changes(db: Connection, count: int) -> None:
    """Add rows to the outbox that are no events."""
    write(db, [AddOutboxRow("mail", number, "{}") for number in range(100, 100 + count)])


def test_sent_rows_go_and_refused_ones_stay(db: Connection) -> None:
    changes(db, 4)
    first, second, third, fourth = numbers(db)
    write(db, [RejectRow(second, "no"), DropShipped(third)])
    assert numbers(db) == [second, fourth]
    known = membership(db)
    assert known is not None
    assert known.shipped == third
    assert waiting(db) == 2
    write(db, [DropShipped(first)])
    assert membership(db) == known, "the position never goes back"


def test_sent_events_wait_no_more(db: Connection) -> None:
    many(db, 4)
    write(db, [DropShipped(0, 102)])
    assert rows(db) == [("event", 103)]
    assert waiting(db) == 1
    known = membership(db)
    assert known is not None
    assert (known.shipped, known.shipped_events) == (0, 102)
    write(db, [DropShipped(0, 101)])
    assert membership(db) == known, "the position never goes back"


def test_refused_rows_are_dropped_on_request(db: Connection) -> None:
    changes(db, 3)
    many(db, 2)
    first, second, third = numbers(db)
    write(db, [RejectRow(second, "no"), RejectRow(101, "no", "events"), DropShipped(0, 101)])
    write(db, [DropRejected()])
    assert numbers(db) == [first, third]
    assert rows(db) == [("mail", 100), ("mail", 102)]


def test_a_refused_event_that_is_dropped_before_those_around_it_were_sent_stays_away(
    db: Connection,
) -> None:
    many(db, 3)
    write(db, [RejectRow(101, "no", "events"), DropRejected()])
    assert db.execute("SELECT id FROM unsent_events").fetchall() == [(100,), (102,)]
    assert waiting(db) == 2
    write(db, [DropShipped(0, 102)])
    assert rows(db) == []


def test_a_refused_event_is_kept_once_with_what_is_sent_of_it(
    host: tuple[Connection, Outbox],
) -> None:
    db, outbox = host
    many(db, 2)
    expected = bodies(outbox)[0]
    write(db, [RejectRow(100, "no", "events"), RejectRow(100, "again", "events")])
    assert rows(db) == [("event", 100), ("event", 101)]
    assert db.execute("SELECT rejected FROM outbox").fetchall() == [("no",)]
    write(db, [RetryRejected(), DropShipped(0, 101)])
    assert bodies(outbox) == [expected], "it is sent by its row"
    (number,) = numbers(db)
    write(db, [DropShipped(number, 101)])
    assert rows(db) == []


def test_a_refused_row_waits_again_behind_all_others(db: Connection) -> None:
    write(db, [SetBranch(1, "main")])
    changes(db, 2)
    session, refused, last = numbers(db)
    write(db, [RejectRow(session, "no"), RejectRow(refused, "no"), RetryRejected()])
    assert numbers(db) == [last, last + 1, last + 2]
    assert sorted(rows(db)) == [("mail", 100), ("mail", 101), ("session", 1)]
    assert db.execute("SELECT count(*) FROM outbox WHERE rejected IS NULL").fetchone() == (3,)


def test_a_reason_is_kept_without_secrets_and_at_most_500_characters(db: Connection) -> None:
    changes(db, 1)
    many(db, 1)
    token = "ghp_" + "a1B2" * 9
    reason = f"bad {token}: " + "no, " * 300
    write(db, [RejectRow(numbers(db)[0], reason), RejectRow(100, reason, "events")])
    for (kept,) in db.execute("SELECT rejected FROM outbox").fetchall():
        assert (token in kept, len(kept)) == (False, 500)


def test_another_epoch_gives_new_numbers_to_what_the_store_lacks(db: Connection) -> None:
    for number in (7, 8):
        writes.record(db, event(number, pending=True))
        writes.settle(db, event(number), (), AT)
    changes(db, 2)
    many(db, 3)
    known, *_ = numbers(db)
    write(db, [RestartOutbox("e2", 5_000, (known,), 100)])
    found = numbers(db)
    assert found[0] > 5_000
    sessions = [("session", number) for number in (1, 2, 3, 4)]
    changed = [("event", 8), ("mail", 100), ("mail", 101), *sessions]
    assert rows(db) == [*changed, ("event", 101), ("event", 102)], "open sessions are sent again"
    changes(db, 1)
    assert numbers(db)[-1] > found[-1]
    said = membership(db)
    assert said is not None
    assert (said.epoch, said.shipped, said.shipped_events) == ("e2", 5_000, 100)


def test_another_epoch_keeps_the_row_of_a_sent_event_until_events_are_sent_up_to_it(
    db: Connection,
) -> None:
    many(db, 1)
    writes.record(db, event(101, pending=True))
    writes.settle(db, event(101), (), AT)
    many(db, 1, first=102)
    ((row,),) = db.execute("SELECT seq FROM outbox").fetchall()
    write(db, [RestartOutbox("e2", 5_000, (row,), 0)])
    assert db.execute("SELECT id FROM unsent_events").fetchall() == [(100,), (102,)]
    assert row in numbers(db)
    write(db, [DropShipped(5_000, 102)])
    assert row not in numbers(db)


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
    writes.record(db, event(102, session_id=1, pending=True))
    writes.settle(db, event(102, session_id=1), (), AT)
    forget(db, 1)
    assert rows(db) == [("session", 4), ("forget", 1)]
    assert bodies(outbox)[-1] == {
        "sessions": [1],
        "conversations": ["plain"],
        "events": [],
    }
    db.execute("DELETE FROM fleet_membership")
    forget(db, 2)
    assert rows(db) == [("session", 4), ("forget", 1)], "a host in no fleet tells nobody"
