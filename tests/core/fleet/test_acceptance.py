"""Which items a host takes, by sender, signer, recipient, time and what it accepts."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from hookd.core.fleet.acceptance import Signer, Standing, accepts, judge
from hookd.core.fleet.items import ACCEPTED, KINDS, Item

NOW = datetime(2026, 1, 31, 8, tzinfo=UTC)
ALL = frozenset(ACCEPTED)
HERE = Standing("acme", "beta", ALL, rules_version=6)
ALPHA, FLEET = Signer("alpha"), Signer()
HOUR = timedelta(hours=1)


def item(kind: Any = "mail", **more: Any) -> Item:
    """Return an item: mail of alpha to beta, or of the fleet to all."""
    host = kind in ("mail", "claim")
    given: dict[str, Any] = {
        "sender": "alpha" if host else None,
        "recipient": "beta" if host else None,
        "created_at": NOW - timedelta(minutes=1),
        "expires_at": NOW + HOUR,
        "body": {},
    } | more
    return Item("id", kind, given.pop("tenant", "acme"), **given)


CASES = [
    # item, signer, known, outcome, words of the reason
    (item(), ALPHA, False, "accepted", ""),
    (item("claim", recipient=None), ALPHA, False, "accepted", ""),
    (item("rules", body={"version": 7}), FLEET, False, "accepted", ""),
    (item("pause"), FLEET, False, "accepted", ""),
    (item("resume"), FLEET, False, "accepted", ""),
    (item("key"), FLEET, False, "accepted", ""),
    (item(), ALPHA, True, "replayed", "before"),
    (item(tenant="other"), ALPHA, False, "refused", "of the fleet other"),
    (item(recipient="gamma"), ALPHA, False, "refused", "for gamma"),
    (item(recipient=None), ALPHA, False, "refused", "writes to one host"),
    (item(), Signer(fault="its signature is wrong"), False, "refused", "signature"),
    (item(), Signer("gamma"), False, "refused", "names alpha, and gamma signed"),
    (item(), FLEET, False, "refused", "names alpha, and the fleet signed"),
    (item(sender=None), FLEET, False, "refused", "a host's key"),
    (item("pause", sender="alpha"), ALPHA, False, "refused", "the fleet's key"),
    (item("rules", sender="alpha", body={"version": 9}), ALPHA, False, "refused", "fleet's key"),
    (item("key", sender="alpha"), ALPHA, False, "refused", "the fleet's key"),
    (item(sender="beta"), Signer("beta"), False, "refused", "this host itself"),
    (item(expires_at=NOW), ALPHA, False, "refused", "expired"),
    (item(created_at=NOW + HOUR, expires_at=NOW + 2 * HOUR), ALPHA, False, "accepted", ""),
    (
        item(created_at=NOW + 25 * HOUR, expires_at=NOW + 26 * HOUR),
        ALPHA, False, "refused", "check the clocks",
    ),
    (item(created_at=NOW + 2 * HOUR), ALPHA, False, "refused", "after 30 days at the latest"),
    (item(expires_at=NOW + 31 * 24 * HOUR), ALPHA, False, "refused", "after 30 days"),
    (item("pause", expires_at=NOW + 9 * HOUR), FLEET, False, "refused", "after 8 hours"),
    (item("rules", body={"version": 6}), FLEET, False, "ignored", "not newer than 6"),
    (item("rules", body={"version": 5}), FLEET, False, "ignored", "not newer"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "signer", "known", "outcome", "why"), CASES)
def test_an_item_is_taken_or_refused(
    one: Item, signer: Signer, known: bool, outcome: str, why: str
) -> None:
    found = judge(one, signer, HERE, NOW, known=known)
    assert found.outcome == outcome
    assert why in found.reason
    assert bool(found.reason) == (outcome != "accepted")


@pytest.mark.parametrize("kind", KINDS)
def test_by_default_nothing_is_even_stored(kind: Any) -> None:
    found = judge(item(kind), Signer(fault="forged"), Standing("acme", "beta"), NOW, known=False)
    assert (found.outcome, found.keep) == ("ignored", False)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("accepted", ACCEPTED)
def test_each_kind_needs_its_own_word(kind: Any, accepted: str) -> None:
    wants = {"mail": "mail", "claim": "claims", "rules": "rules"}.get(kind, "pause")
    found = accepts(item(kind), Standing("acme", "beta", frozenset({accepted})))
    assert found == (kind == "key" or accepted == wants)


def test_a_forged_item_is_not_known_afterwards() -> None:
    """A forger that guesses an id does not keep the true item out: only accepted ones count."""
    forged = judge(item(), Signer(fault="its signature is wrong"), HERE, NOW, known=False)
    assert forged.outcome == "refused"
    assert judge(item(), ALPHA, HERE, NOW, known=False).outcome == "accepted"
