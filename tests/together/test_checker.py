"""The checker of `make together`: a doctored record of each kind is reported."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from together.checker import CONFLICTS, RETRY_S, check, unproved
from together.record import (
    Act,
    Arrival,
    Delivery,
    Held,
    Line,
    Record,
    Sent,
    Stored,
    StoredItem,
    StoredMail,
)

Doctor = Callable[[Record, Stored], None]


def exact() -> tuple[Record, Stored]:
    """Return a run in which everything is exact: three agents, two mails, an item, two lines."""
    record = Record(
        agents=("ada", "ben", "cleo"),
        sent=[Sent("ada", "ada#m1", "@all", 1), Sent("ada", "ada#m2", "ben", 2)],
        arrivals=[
            Arrival("ben", 1, "ada#m1", 10.0),
            Arrival("cleo", 1, "ada#m1", 11.0),
            Arrival("ben", 2, "ada#m2", 12.0),
        ],
        lines=[
            Line("ada", "shop/one.md", "ada#1", seen=True),
            Line("ben", "shop/one.md", "ben#1", seen=False),
            Line("ben", "shop/one.md", "ben#2", seen=True),
        ],
        held=[Held("ada", "one.md", 1.0, 2.0), Held("ben", "one.md", 2.0, 3.0)],
        acts=[
            Act("ada", 1, "took"),
            Act("ben", 1, "take refused"),
            Act("ada", 1, "back"),
            Act("ben", 1, "took"),
            Act("ben", 1, "done"),
        ],
        turns={"ada": 5, "ben": 5},
    )
    stored = Stored(
        mails=[
            StoredMail(1, "ada", "ada#m1 done", "delivered"),
            StoredMail(2, "ada", "ada#m2 done", "delivered"),
        ],
        deliveries=[
            Delivery(1, "ben", 1, delivered=True, created=11.8),
            Delivery(1, "cleo", 1, delivered=True, created=11.8),
            Delivery(2, "ben", 1, delivered=True, created=11.8),
        ],
        items=[StoredItem(1, "done", "ben")],
        ledgers={"shop/one.md": ["ada#1", "ben#2"]},
    )
    return record, stored


def test_an_exact_run_has_nothing_wrong() -> None:
    report = check(*exact())
    assert report.wrong == []
    assert report.figures["  arrived exactly once"] == report.figures["deliveries expected"] == 3
    assert report.figures["  done, and read back"] == report.figures["lines in the ledgers"] == 2
    assert report.figures["work items"] == report.figures["  done"] == 1
    assert report.figures["  refused"] == 1


def _loses_mail(record: Record, _: Stored) -> None:
    record.arrivals.pop(1)


def _doubles_mail(record: Record, _: Stored) -> None:
    record.arrivals.append(Arrival("ben", 2, "ada#m2", 13.0))


def _disorders_mail(record: Record, _: Stored) -> None:
    record.arrivals.reverse()


def _misleads_mail(record: Record, _: Stored) -> None:
    record.arrivals.append(Arrival("cleo", 2, "ada#m2", 13.0))


def _forgets_mail(_: Record, stored: Stored) -> None:
    stored.mails.pop()


def _stores_mail_twice(_: Record, stored: Stored) -> None:
    stored.mails.append(replace(stored.mails[0], number=3))


def _invents_mail(_: Record, stored: Stored) -> None:
    stored.mails.append(StoredMail(3, "ben", "ben#m9 done", "delivered"))


def _delivers_less(_: Record, stored: Stored) -> None:
    stored.deliveries[0] = replace(stored.deliveries[0], delivered=False)


def _delivers_nothing(_: Record, stored: Stored) -> None:
    stored.deliveries.pop()


def _leaves_mail(_: Record, stored: Stored) -> None:
    stored.mails[1] = replace(stored.mails[1], state="waiting")


def _leaves_a_claim(_: Record, stored: Stored) -> None:
    stored.open_claims.append("ada one.md")


def _overwrites_a_line(_: Record, stored: Stored) -> None:
    stored.ledgers["shop/one.md"].remove("ada#1")


def _doubles_a_line(_: Record, stored: Stored) -> None:
    stored.ledgers["shop/one.md"].append("ada#1")


def _writes_in_secret(_: Record, stored: Stored) -> None:
    stored.ledgers["shop/one.md"].append("ben#1")


def _claims_twice(record: Record, _: Stored) -> None:
    record.held.append(Held("cleo", "one.md", 1.5, 1.7))


def _takes_twice(record: Record, _: Stored) -> None:
    record.acts.insert(1, Act("cleo", 1, "took"))


def _finishes_twice(record: Record, _: Stored) -> None:
    record.acts.append(Act("cleo", 1, "done"))


def _changes_the_owner(_: Record, stored: Stored) -> None:
    stored.items[0] = replace(stored.items[0], owner="ada")


def _leaves_an_item(_: Record, stored: Stored) -> None:
    stored.items[0] = replace(stored.items[0], state="taken")


def _loses_an_item(_: Record, stored: Stored) -> None:
    stored.items.clear()


def _answers_strangely(record: Record, _: Stored) -> None:
    record.strange.append("ada: hookd send: exit 2")


DOCTORED: tuple[tuple[Doctor, str], ...] = (
    (_loses_mail, "lost mail: ada#m1 to cleo"),
    (_doubles_mail, "mail twice: ada#m2 2 times to ben"),
    (_disorders_mail, "out of order: mail 1 from ada to ben"),
    (_misleads_mail, "mail ada#m2 arrived at cleo, to whom it was not sent"),
    (_forgets_mail, "mail ada#m2 was sent as 2 and is not stored"),
    (_stores_mail_twice, "mail ada#m1 is stored 2 times"),
    (_invents_mail, "stored mail ben#m9 was sent by no agent"),
    (_delivers_less, "mail 1 to ben is not stored as delivered"),
    (_delivers_nothing, "2 deliveries are stored, 3 expected"),
    (_leaves_mail, "mail 2 is waiting at the end"),
    (_leaves_a_claim, "a claim is open at the end: ada one.md"),
    (_overwrites_a_line, "overwritten edit: ada#1 is not in shop/one.md"),
    (_doubles_a_line, "line ada#1 is 2 times in shop/one.md"),
    (_writes_in_secret, "line ben#1 is in shop/one.md, but no agent has seen it there"),
    (_claims_twice, "one.md was held by ada and cleo at once"),
    (_takes_twice, "two owners: work item 1 of ada and cleo"),
    (_finishes_twice, "work item 1 was finished by ben, cleo"),
    (_changes_the_owner, "work item 1 is done by ada, in the record by ['ben']"),
    (_leaves_an_item, "work item 1 is taken at the end"),
    (_loses_an_item, "work item 1 is finished and not stored"),
    (_answers_strangely, "unexpected answer: ada: hookd send: exit 2"),
)


@pytest.mark.parametrize(("doctor", "wrong"), DOCTORED)
def test_a_doctored_record_is_reported(doctor: Doctor, wrong: str) -> None:
    record, stored = exact()
    doctor(record, stored)
    report = check(record, stored)
    assert wrong in report.wrong
    assert f"WRONG: {wrong}" in str(report)


@pytest.mark.parametrize(
    ("kill", "again", "offers", "allowed"),
    [
        (12.5, 13.0, 2, True),
        (11.9, 13.0, 2, True),  # offered before the kill; its model was asked after it
        (12.5, 13.0, 1, False),  # the database knows of one answer only
        (11.5, 13.0, 2, False),  # killed before it was written
        (12.5, 12.5 + RETRY_S + 1, 2, False),
    ],
)
def test_a_mail_may_come_again_only_across_a_kill(
    kill: float, again: float, offers: int, allowed: bool
) -> None:
    record, stored = exact()
    record.kills.append(kill)
    record.arrivals.append(Arrival("ben", 2, "ada#m2", again))
    stored.deliveries[2] = replace(stored.deliveries[2], offers=offers)
    report = check(record, stored)
    assert ("mail twice: ada#m2 2 times to ben" not in report.wrong) == allowed
    assert report.figures["  again across a kill -9"] == allowed


def test_a_long_run_without_a_conflict_shows_nothing() -> None:
    report = check(*exact())
    assert "no conflict of this kind: calls: claim-guard deny" in unproved(report)
    report.figures |= dict.fromkeys(CONFLICTS, 1)
    assert unproved(report) == []


def test_a_send_without_an_answer_is_stored_once_or_not_at_all() -> None:
    record, stored = exact()
    record.sent.append(Sent("ben", "ben#m7", "cleo", None))
    assert check(record, stored).wrong == []
    stored.mails.append(StoredMail(3, "ben", "ben#m7 done", "waiting"))
    assert "lost mail: ben#m7 to cleo" in check(record, stored).wrong
