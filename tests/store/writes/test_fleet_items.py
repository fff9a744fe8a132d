"""Writing signed items: their rows, the fleet's rules and key, claims of other hosts."""

from collections.abc import Iterator
from pathlib import Path
from sqlite3 import Connection

import pytest

from hookd.core.model.effects.fleet import LeaveFleet
from hookd.core.model.effects.fleet_items import (
    KeepItem,
    MoveCursor,
    PeerClaim,
    PinFleetKey,
    SetFleetRules,
    SetPeerClaims,
)
from hookd.core.model.effects.messages import Pause
from hookd.store.facts.fleet import known_items, membership
from hookd.store.writes.claims import end_overdue
from support.database_rows import AT, LATER, write
from support.outbox import joined, member

ALL = ("claims", "mail", "pause", "rules")
RULE = ("no-main", '{"id": "no-main"}')


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Connection]:
    with member(tmp_path / "hookd.db") as (found, _):
        write(found, [joined(accept=ALL)])
        yield found


def peer(pattern: str, until: str = LATER) -> PeerClaim:
    return PeerClaim("@beta:ann", "ann@beta", "/w", "glob", pattern, "why", AT, until)


def held(db: Connection) -> list[str]:
    sql = (
        "SELECT pattern FROM claims WHERE released_at IS NULL AND conversation LIKE '@%' ORDER BY 1"
    )
    return [pattern for (pattern,) in db.execute(sql)]


def test_only_accepted_items_are_known(db: Connection) -> None:
    write(
        db,
        [
            KeepItem("a", "mail", "beta", "refused", "forged"),
            KeepItem("b", "mail", "b", "accepted", ""),
        ],
    )
    assert known_items(db, ("a", "b", "c")) == ("b",)
    write(
        db,
        [KeepItem("a", "mail", "beta", "accepted", ""), KeepItem("b", "mail", "b", "refused", "x")],
    )
    assert sorted(known_items(db, ("a", "b"))) == ["a", "b"], "an accepted one stays so"


def test_refused_items_fill_no_disk(db: Connection) -> None:
    write(db, [KeepItem(f"id{n}", "mail", "beta", "refused", "forged") for n in range(250)])
    assert db.execute("SELECT count(*) FROM fleet_items").fetchone() == (200,)


def test_items_are_known_as_long_as_one_can_come_again(db: Connection) -> None:
    write(db, [KeepItem("a", "mail", "beta", "accepted", "")], "2026-01-01T00:00:00.000Z")
    write(db, [MoveCursor("7")], "2026-02-01T00:00:00.000Z")
    assert known_items(db, ("a",)) == ("a",)
    write(db, [MoveCursor("8")], "2026-02-11T00:00:00.000Z")
    assert known_items(db, ("a",)) == ()


def test_a_new_key_replaces_all_others(db: Connection) -> None:
    write(db, [PinFleetKey("new"), MoveCursor("7")])
    known = membership(db)
    assert known is not None
    assert known.keys == ("new",)
    assert db.execute("SELECT items_after FROM fleet_membership").fetchone() == ("7",)


def test_joining_again_keeps_the_key_that_was_followed(db: Connection) -> None:
    write(db, [PinFleetKey("new"), MoveCursor("7"), joined(accept=ALL, keys=("old",))])
    known = membership(db)
    assert known is not None
    assert (known.keys, known.items_after) == (("new",), "7")
    write(db, [joined(accept=("mail",), keys=("old",))])
    known = membership(db)
    assert known is not None
    assert known.items_after is None, "what it accepts from now on may have come before"


def test_rules_replace_those_of_another_version_and_go_with_the_membership(db: Connection) -> None:
    write(db, [SetFleetRules("fleet acme v1", 1, (RULE,), ("path-guard",))])
    write(db, [SetFleetRules("fleet acme v2", 2, (RULE,), ("claim-guard",))])
    rules = "SELECT layer, source, scope FROM guards WHERE layer = 'fleet'"
    policies = "SELECT root, digest FROM trusts WHERE root LIKE 'fleet %'"
    assert db.execute(rules).fetchall() == [("fleet", "fleet acme v2", "user")]
    assert db.execute(policies).fetchall() == [("fleet acme v2", '["claim-guard"]')]
    known = membership(db)
    assert known is not None
    assert known.rules_version == 2
    write(db, [LeaveFleet(announce=False)])
    assert db.execute(rules).fetchall() == db.execute(policies).fetchall() == []


def test_what_is_accepted_no_more_goes(db: Connection) -> None:
    write(db, [SetFleetRules("fleet acme v2", 2, (RULE,)), SetPeerClaims((peer("a"),))])
    write(db, [Pause(LATER, "fleet acme"), joined(accept=("mail",))])
    assert held(db) == []
    assert db.execute("SELECT count(*) FROM guards WHERE layer = 'fleet'").fetchone() == (0,)
    assert db.execute("SELECT count(*) FROM meta WHERE key LIKE 'paused%'").fetchone() == (0,)


def test_a_pause_of_this_host_stays(db: Connection) -> None:
    write(db, [Pause(LATER), joined(accept=("mail",))])
    assert db.execute("SELECT count(*) FROM meta WHERE key = 'paused_until'").fetchone() == (1,)


def test_claims_of_others_are_as_they_were_given_last(db: Connection) -> None:
    write(db, [SetPeerClaims((peer("a"), peer("b")))])
    write(db, [SetPeerClaims((peer("b"), peer("c")))])
    assert held(db) == ["b", "c"]
    end_overdue(db, AT)
    assert held(db) == ["b", "c"], "they need no session"
    end_overdue(db, LATER)
    assert held(db) == []


def test_claims_of_others_are_not_sent(db: Connection) -> None:
    sql = "SELECT kind, row_id FROM outbox WHERE kind IN ('claim', 'release')"
    before = db.execute(sql).fetchall()
    write(db, [SetPeerClaims((peer("a"),)), SetPeerClaims(())])
    assert db.execute(sql).fetchall() == before
