"""Writing the membership in a fleet of many hosts, and the outbox."""

import json
import sqlite3
from datetime import datetime, timedelta
from typing import assert_never

from hookd.core.model.effects.fleet import (
    AddOutboxRow,
    DropRejected,
    DropShipped,
    JoinFleet,
    LeaveFleet,
    NoteContact,
    RejectRow,
    RestartOutbox,
    RetryRejected,
)
from hookd.core.model.effects.mail import SendMail
from hookd.core.model.effects.union import FleetEffect
from hookd.core.model.facts import iso
from hookd.redaction.redact import redact
from hookd.store import outbox_triggers
from hookd.store.outbox_triggers import EVENT_FIELDS
from hookd.store.writes import fleet_items, mail

_JOIN = (
    "INSERT INTO fleet_membership"
    " (id, tenant, host, mode, accept_json, epoch, keys_json, joined_at)"
    " VALUES (1, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET mode = excluded.mode,"
    # What is accepted from now on may have come before: all is read again, and counts once.
    " items_after = iif(accept_json = excluded.accept_json, items_after, NULL),"
    # The file that a host joined with may have a key that was replaced since.
    " keys_json = iif(keys_json = '[]', excluded.keys_json, keys_json),"
    " accept_json = excluded.accept_json, leaving = 0,"
    " problem = NULL, next_step = NULL"
)
_OPEN_SESSIONS = (
    "INSERT INTO outbox (kind, row_id, at) SELECT 'session', s.id, ?1 FROM sessions s"
    " WHERE s.ended_at IS NULL AND NOT EXISTS (SELECT 1 FROM outbox o"
    "  WHERE o.kind = 'session' AND o.row_id = s.id) ORDER BY s.id"
)
_OPEN_CLAIMS = (
    "INSERT INTO outbox (kind, row_id, at) SELECT 'claim', c.id, ?1 FROM claims c"
    " WHERE c.released_at IS NULL AND c.automatic = 0 AND c.conversation NOT LIKE '@%'"
    " AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.kind = 'claim' AND o.row_id = c.id)"
)
_SHIPPED = (
    "UPDATE fleet_membership SET shipped = max(shipped, ?), shipped_events = max(shipped_events, ?)"
)
# The row of an event keeps it from being sent from its own table, until that is sent up to there.
_DELETE_SENT = (
    "DELETE FROM outbox WHERE seq <= (SELECT shipped FROM fleet_membership) AND rejected IS NULL"
    " AND (kind <> 'event' OR row_id <= (SELECT shipped_events FROM fleet_membership))"
)
_LAST_EVENT = "(SELECT coalesce(max(id), 0) FROM events)"
# Events of another mode, or of the time after a leave, are not sent.
_EVENTS_FROM_NOW = (
    "UPDATE fleet_membership SET dropped = dropped + max(0, coalesce(last_event, 0)"  # noqa: S608
    f" - shipped_events), shipped_events = {_LAST_EVENT}, events_after = {_LAST_EVENT},"
    " last_event = NULL"
)
_EVENTS_UNTIL_NOW = f"UPDATE fleet_membership SET last_event = coalesce(last_event, {_LAST_EVENT})"  # noqa: S608
_REJECT_EVENT = (
    "INSERT INTO outbox (kind, row_id, at, body, rejected)"  # noqa: S608 - constants
    f" SELECT 'event', e.id, e.at, json_object({EVENT_FIELDS}), ?1 FROM events e WHERE e.id = ?2"
    " AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.kind = 'event' AND o.row_id = ?2)"
)
# Without its row, an event that was not passed yet would be sent from its table, and refused again.
_KEEP_EVENTS = (
    "UPDATE outbox SET seq = -row_id, rejected = NULL WHERE rejected IS NOT NULL"
    " AND kind = 'event' AND row_id > (SELECT shipped_events FROM fleet_membership)"
)
_RETRY = (
    "INSERT INTO outbox (kind, row_id, at, body) SELECT kind, row_id, at, body FROM outbox"
    " WHERE rejected IS NOT NULL AND kind <> 'session' AND seq <= ?1 ORDER BY seq"
)
_MAIL = (
    "SELECT m.id, m.recipient, m.sender, m.sender_conversation FROM outbox o"
    " JOIN agent_mail m ON m.id = o.row_id"
    " WHERE o.seq = ? AND o.kind = 'mail' AND m.sender_kind <> 'hookd'"
)
_CONTACT = (
    "UPDATE fleet_membership SET seen_at = ?1, contact_at = iif(?2, ?1, contact_at),"
    " problem = ?3, next_step = ?4, clock_ms = coalesce(?5, clock_ms)"
)
_REASON = 500
"""Characters of a reason that are kept."""


def write(db: sqlite3.Connection, effect: FleetEffect, at: str) -> None:
    """Write one effect, at the time `at`."""
    match effect:
        case JoinFleet():
            _join(db, effect, at)
        case LeaveFleet():
            _leave(db, at, announce=effect.announce)
        case DropShipped():
            db.execute(_SHIPPED, (effect.through, effect.events))
            db.execute(_DELETE_SENT)
        case RejectRow():
            _reject(db, effect, at)
        case RetryRejected():
            _retry(db, at)
        case DropRejected():
            db.execute(_KEEP_EVENTS)
            db.execute("DELETE FROM outbox WHERE rejected IS NOT NULL")
            db.execute("UPDATE fleet_membership SET dropped = 0")
        case RestartOutbox():
            _restart(db, effect)
            db.execute(_OPEN_SESSIONS, (at,))  # the central store ended those of the last epoch
        case NoteContact():
            told = (effect.problem, effect.next_step, effect.clock_ms)
            db.execute(_CONTACT, (at, effect.contact, *told))
        case AddOutboxRow():
            _add(db, effect, at)
        case _:
            assert_never(effect)


def _reject(db: sqlite3.Connection, effect: RejectRow, at: str) -> None:
    """Keep a row, or an event, with the reason; once, however often it is refused."""
    reason = redact(effect.reason)[:_REASON]
    if effect.stream == "events":
        db.execute(_REJECT_EVENT, (reason, effect.seq))
        return
    first = "UPDATE outbox SET rejected = ? WHERE seq = ? AND rejected IS NULL"
    if db.execute(first, (reason, effect.seq)).rowcount:
        _return_mail(db, effect.seq, reason, at)


def _return_mail(db: sqlite3.Connection, seq: int, reason: str, at: str) -> None:
    """Tell the sender of a mail that was refused; hookd itself reads no mail."""
    row = db.execute(_MAIL, (seq,)).fetchone()
    if row is None:
        return
    number, recipient, sender, conversation = row
    mail.write(
        db,
        SendMail(
            sender="hookd",
            sender_kind="hookd",
            to_kind="agent" if conversation else "person",
            recipient=sender if conversation else "@person",
            text=f"Your mail {number} to {recipient} was not sent: {reason}.",
            conversations=(conversation,) if conversation else (),
            expires_at=iso(datetime.fromisoformat(at) + timedelta(days=1)),
        ),
        at,
    )


def _join(db: sqlite3.Connection, effect: JoinFleet, at: str) -> None:
    accept, keys = json.dumps(effect.accept), json.dumps(effect.keys)
    args = (effect.tenant, effect.host, effect.mode, accept, effect.epoch, keys, at)
    before = db.execute("SELECT last_event FROM fleet_membership").fetchone()
    db.execute(_JOIN, args)
    if before is None or (before[0] is not None and effect.mode != "status"):
        db.execute(_EVENTS_FROM_NOW)
    if effect.mode == "status":
        db.execute(_EVENTS_UNTIL_NOW)
    outbox_triggers.create(db, effect.accept)
    db.execute(_OPEN_SESSIONS, (at,))
    if "claims" in effect.accept:
        db.execute(_OPEN_CLAIMS, (at,))
    fleet_items.forget_unaccepted(db, effect.accept, at)


def _leave(db: sqlite3.Connection, at: str, *, announce: bool) -> None:
    outbox_triggers.drop(db)
    if announce:
        db.execute("DELETE FROM outbox WHERE kind = 'left'")
        db.execute("INSERT INTO outbox (kind, at, body) VALUES ('left', ?, '{}')", (at,))
        db.execute("UPDATE fleet_membership SET leaving = 1")
        db.execute(_EVENTS_UNTIL_NOW)
        return
    fleet_items.forget(db, at)
    # A later membership continues the numbers: rows of this one may have been sent under them.
    for table in ("outbox", "fleet_membership", "fleet_items"):
        db.execute(f"DELETE FROM {table}")  # noqa: S608 - constants


def _retry(db: sqlite3.Connection, at: str) -> None:
    """Give the refused rows new numbers: the central store has moved past the old ones."""
    (last,) = db.execute("SELECT coalesce(max(seq), 0) FROM outbox").fetchone()
    db.execute(_RETRY, (last,))
    sessions = db.execute(
        "DELETE FROM outbox WHERE rejected IS NOT NULL AND seq <= ? RETURNING kind, row_id", (last,)
    ).fetchall()
    db.executemany(
        "INSERT INTO outbox (kind, row_id, at) VALUES ('session', ?, ?)",
        [(number, at) for kind, number in sessions if kind == "session"],
    )


def _restart(db: sqlite3.Connection, effect: RestartOutbox) -> None:
    (last,) = db.execute(
        "SELECT max(coalesce((SELECT max(seq) FROM outbox), 0),"
        " coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'outbox'), 0))"
    ).fetchone()
    shift = max(last, effect.above)
    # Those that the central store has keep their numbers, which count as sent.
    rows = db.execute(
        "SELECT seq FROM outbox WHERE seq NOT IN (SELECT value FROM json_each(?))"
        " ORDER BY seq DESC",
        (json.dumps(effect.known),),
    ).fetchall()
    db.executemany("UPDATE outbox SET seq = seq + ? WHERE seq = ?", [(shift, n) for (n,) in rows])
    # The number of a row that is written next.
    db.execute("DELETE FROM sqlite_sequence WHERE name = 'outbox'")
    top = rows[0][0] + shift if rows else shift
    db.execute("INSERT INTO sqlite_sequence (name, seq) VALUES ('outbox', ?)", (top,))
    db.execute("UPDATE fleet_membership SET epoch = ?, shipped = ?", (effect.epoch, effect.above))
    db.execute(_SHIPPED, (0, effect.events))
    db.execute(_DELETE_SENT)


def _add(db: sqlite3.Connection, effect: AddOutboxRow, at: str) -> None:
    db.execute(
        "INSERT INTO outbox (kind, row_id, at, body) SELECT ?, ?, ?, ?"
        " WHERE EXISTS (SELECT 1 FROM fleet_membership WHERE NOT leaving)",
        (effect.kind, effect.row_id, at, effect.body),
    )
