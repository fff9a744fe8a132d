"""Decisions on the membership in a fleet of many hosts."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from hookd.core.fleet.membership import join, leave, member, silent
from hookd.core.model.effects.fleet import JoinFleet, LeaveFleet
from hookd.core.model.errors import DomainError
from hookd.core.model.facts import Facts
from hookd.core.model.fleet_requests import FleetMembership, WaitingRows
from hookd.core.model.membership import Membership

ANN = Membership("acme", "ann", "status", (), "e1", (), 7, leaving=False)
WANTED = JoinFleet("acme", "ann", "decisions", ("mail",), "e2", ("key",))


def facts(known: Membership | None, waiting: int = 0) -> Facts:
    resolved = {FleetMembership(): known, WaitingRows(): waiting}
    return Facts(now=datetime(2026, 1, 31, 8, tzinfo=UTC)).with_facts(resolved)


@pytest.mark.parametrize("known", [None, ANN], ids=["first", "again"])
def test_a_host_joins_and_joins_the_same_fleet_again(known: Membership | None) -> None:
    assert join(WANTED, facts(known)) == WANTED


@pytest.mark.parametrize("other", [{"tenant": "globex"}, {"host": "ben"}])
def test_a_host_is_in_one_fleet_under_one_name(other: dict[str, str]) -> None:
    with pytest.raises(DomainError, match="already"):
        join(replace(WANTED, **other), facts(ANN))  # type: ignore[arg-type]


def test_rows_that_wait_are_dropped_only_on_request() -> None:
    with pytest.raises(DomainError, match="would be dropped: 3"):
        leave(facts(ANN, 3), announce=False, drop=False)
    assert leave(facts(ANN, 3), announce=False, drop=True) == (LeaveFleet(announce=False), 3)
    assert leave(facts(ANN, 3), announce=True, drop=False) == (LeaveFleet(announce=True), 0)
    assert leave(facts(ANN), announce=False, drop=False) == (LeaveFleet(announce=False), 0)


def test_a_host_in_no_fleet_has_no_membership() -> None:
    assert member(facts(ANN)) == ANN
    with pytest.raises(DomainError, match="in no fleet"):
        member(facts(None))


@pytest.mark.parametrize(
    ("seen", "problem", "said"),
    [
        ("2026-01-31T07:58:40.000Z", None, ""),
        ("2026-01-31T07:59:59.000Z", "refused", "no contact"),
        ("2026-01-31T07:58:20.000Z", None, "nothing is sent"),
        (None, None, "nothing is sent"),
    ],
)
def test_a_silent_sync_process_is_known(seen: str | None, problem: str | None, said: str) -> None:
    assert silent(facts(replace(ANN, seen_at=seen, problem=problem))) == said
    assert silent(facts(None)) == ""
