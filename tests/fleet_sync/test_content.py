"""Content of rows: it has the fields that the guide on security lists, and no others."""

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from sqlite3 import Connection
from typing import Any

import pytest

from hookd.core.fleet import signing
from hookd.core.fleet.claim_conflicts import FleetClaim
from hookd.core.model.effects.fleet import DropShipped, LeaveFleet
from hookd.core.model.membership import FLEET_MODES, FleetMode
from hookd.fleet_sync.content import Content
from hookd.fleet_sync.link import heartbeat
from hookd.fleet_sync.outgoing import Signer, mail_row
from hookd.fleet_sync.peer_claims import PeerClaims
from hookd.fleet_sync.store import Beat
from hookd.store import writes
from hookd.store.outbox import Outbox
from hookd.store.writes.forget import forget
from support.database_rows import event, write
from support.outbox import EPOCH, member

GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "security.md"
NOW = datetime(2026, 1, 31, 8, tzinfo=UTC)
SIGNER = Signer("acme", "ann", EPOCH, signing.new_key())


@cache
def listed() -> dict[str, set[str]]:
    """Return the fields of each kind of row in the guide's table."""
    text = GUIDE.read_text("utf-8")
    part = text.partition("### Content that leaves the machine")[2].partition("\n#")[0]
    found = re.findall(r"^\| ([a-z][^|]*?) \| [^|]* \| (.*) \|$", part, re.MULTILINE)
    return {name: set(re.findall("`([^`]+)`", fields)) for name, fields in found if name != "row"}


def rows(db: Connection, outbox: Outbox) -> Iterator[tuple[str, Any]]:
    """Yield what waits, as it is sent; then it counts as sent."""
    sent = {}
    for stream, last in (("changes", outbox.last("changes")), ("events", outbox.last("events"))):
        for row in Content(outbox, ()).rows(stream, 0, 1_000, last).rows:  # type: ignore[arg-type]
            yield row.kind, json.loads(row.body)
        sent[stream] = last
    write(db, [DropShipped(sent["changes"], sent["events"])])


@pytest.mark.parametrize("mode", FLEET_MODES)
def test_the_rows_of_a_mode_have_the_listed_fields(tmp_path: Path, mode: FleetMode) -> None:
    with member(tmp_path / "hookd.db", mode) as (db, outbox):
        db.execute(
            "UPDATE sessions SET branch = 'main', agent_id = 'a7', agent_type = 'Explore',"
            " parent_session_id = 1, client = 'codex', client_version = '1', model = 'm',"
            " context_usage = 0.5, cost = 1.5, ended_at = last_event_at, end_reason = 'clear'"
        )
        db.execute("UPDATE efforts SET current_phase = '1: Work'")
        writes.record(db, event(900, session_id=1, answer="{}"))
        found = list(rows(db, outbox))
        kinds = {"session"} if mode == "status" else {"session", "event"}
        assert {kind for kind, _ in found} == kinds
        fields: dict[str, set[str]] = {}
        for kind, body in found:
            fields.setdefault(kind, set()).update(body)
            if "detail" in body:
                assert set(body["detail"]) == listed()["detail of an event"]
        assert fields.pop("session") == listed()["session"]
        more = {"detail"} if mode == "events" else set()
        assert fields == ({} if mode == "status" else {"event": listed()["event"] | more})
        forget(db, 1)
        ((_, body),) = rows(db, outbox)
        assert set(body) == listed()["forget"]
        write(db, [LeaveFleet(announce=True)])
        assert list(rows(db, outbox)) == [("left", {})]


def test_a_heartbeat_has_the_listed_fields(tmp_path: Path) -> None:
    with member(tmp_path / "hookd.db") as (_, outbox):
        sent = heartbeat(Beat("status", (), outbox.open_sessions()), NOW)
    assert set(sent) == listed()["heartbeat, every ten seconds"]
    assert set(sent["sessions"][0]) == listed()["session of a heartbeat"]


def test_mail_and_claims_have_the_listed_fields() -> None:
    row = dict.fromkeys(("text", "sender", "sender_kind", "priority"), "x") | {"to": "ben@beta"}
    body = json.loads(mail_row(row, 1, SIGNER, NOW)["body"])
    assert set(body) == listed()["mail"]
    made = PeerClaims(SIGNER, None)._signed(
        {7: None}, FleetClaim("ann", 7, "r", "path", "a", "ann")
    )  # type: ignore[arg-type]
    assert set(json.loads(made.item)["body"]) == listed()["claim"]


def test_each_listed_row_is_compared() -> None:
    assert set(listed()) == {
        *("session", "event", "detail of an event", "heartbeat, every ten seconds"),
        *("session of a heartbeat", "mail", "claim", "forget"),
    }
