"""Writing signed items of a fleet: what became of them, its rules, key, and claims of others."""

import json
import sqlite3
from collections.abc import Container
from typing import assert_never

from hookd.core.fleet.team_rules import LAYER
from hookd.core.model.effects.fleet_items import (
    KeepItem,
    MoveCursor,
    PinFleetKey,
    SetFleetRules,
    SetPeerClaims,
)
from hookd.core.model.effects.union import FleetItemEffect
from hookd.redaction.redact import redact

_MOST_REFUSED = 200
"""Refused items whose rows are kept, the last ones: anybody with access could send more."""

_KEEP = (
    "INSERT INTO fleet_items (id, kind, sender, at, outcome, reason) VALUES (?, ?, ?, ?, ?, ?)"
    " ON CONFLICT (id) DO UPDATE SET kind = excluded.kind, sender = excluded.sender,"
    " at = excluded.at, outcome = excluded.outcome, reason = excluded.reason"
    " WHERE outcome <> 'accepted'"
)
_FEW_REFUSED = (
    "DELETE FROM fleet_items WHERE outcome <> 'accepted' AND id IN (SELECT id FROM fleet_items"
    " WHERE outcome <> 'accepted' ORDER BY at DESC, id LIMIT -1 OFFSET ?)"
)
# By then all but rules and keys have expired: older rules are ignored, older keys retired.
_FORGET_OLD = "DELETE FROM fleet_items WHERE at < strftime('%Y-%m-%dT%H:%M:%fZ', ?, '-40 days')"
_RULE = (
    "INSERT INTO guards (name, scope, rule_json, created_at, layer, source)"
    " VALUES (?, 'user', ?, ?, ?, ?)"
)
_TRUSTS = "DELETE FROM trusts WHERE root LIKE 'fleet %'"
_POLICIES = "INSERT INTO trusts (root, digest, created_at) VALUES (?, ?, ?)"
_GIVEN = (
    "SELECT json_extract(value, '$[0]') AS conversation, json_extract(value, '$[1]') AS agent,"
    " json_extract(value, '$[2]') AS root, json_extract(value, '$[3]') AS kind,"
    " json_extract(value, '$[4]') AS pattern, json_extract(value, '$[5]') AS why,"
    " json_extract(value, '$[6]') AS created_at, json_extract(value, '$[7]') AS expires_at"
    " FROM json_each(?1)"
)
_SAME = (
    "g.conversation = c.conversation AND g.root = c.root AND g.kind = c.kind"
    " AND g.pattern = c.pattern"
)
_END_OTHERS = (
    "UPDATE claims AS c SET released_at = ?2, released_by = 'fleet' WHERE c.released_at IS NULL"  # noqa: S608
    f" AND c.conversation LIKE '@%' AND NOT EXISTS (SELECT 1 FROM ({_GIVEN}) g WHERE {_SAME})"
)
_EXTEND = (
    "UPDATE claims AS c SET expires_at = g.expires_at, why = g.why"  # noqa: S608
    f" FROM ({_GIVEN}) g WHERE c.released_at IS NULL AND {_SAME}"
)
_ADD = (
    "INSERT INTO claims (root, kind, pattern, conversation, agent, why, automatic, created_at,"  # noqa: S608
    " expires_at) SELECT g.root, g.kind, g.pattern, g.conversation, g.agent, g.why, 0,"
    f" g.created_at, g.expires_at FROM ({_GIVEN}) g"
    f" WHERE NOT EXISTS (SELECT 1 FROM claims c WHERE c.released_at IS NULL AND {_SAME})"
)


def write(db: sqlite3.Connection, effect: FleetItemEffect, at: str) -> None:
    """Write one effect, at the time `at`."""
    match effect:
        case KeepItem():
            reason = redact(effect.reason)[:500] or None
            row = (effect.id, effect.kind, effect.sender, at, effect.outcome, reason)
            db.execute(_KEEP, row)
            if effect.outcome != "accepted":
                db.execute(_FEW_REFUSED, (_MOST_REFUSED,))
        case MoveCursor():
            db.execute("UPDATE fleet_membership SET items_after = ?", (effect.after,))
            db.execute(_FORGET_OLD, (at,))
        case PinFleetKey():
            keys = json.dumps([effect.key])
            db.execute("UPDATE fleet_membership SET keys_json = ?", (keys,))
        case SetFleetRules():
            _set_rules(db, effect, at)
        case SetPeerClaims():
            _set_claims(db, effect, at)
        case _:
            assert_never(effect)


def forget(db: sqlite3.Connection, at: str) -> None:
    """Remove what a fleet has set on this host: rules, policies, pause, claims of others."""
    forget_unaccepted(db, (), at)


def forget_unaccepted(db: sqlite3.Connection, accept: Container[str], at: str) -> None:
    """Remove what a fleet has set of the kinds that this host does not accept."""
    if "rules" not in accept:
        db.execute("DELETE FROM guards WHERE layer = ?", (LAYER,))
        db.execute(_TRUSTS)
        db.execute("UPDATE fleet_membership SET rules_version = 0")
    if "pause" not in accept:
        db.execute(
            "DELETE FROM meta WHERE key = 'paused_until'"
            " AND EXISTS (SELECT 1 FROM meta WHERE key = 'paused_by')"
        )
        db.execute("DELETE FROM meta WHERE key = 'paused_by'")
    if "claims" not in accept:
        _set_claims(db, SetPeerClaims(()), at)


def _set_rules(db: sqlite3.Connection, effect: SetFleetRules, at: str) -> None:
    db.execute("DELETE FROM guards WHERE layer = ?", (LAYER,))
    rows = [(name, rule, at, LAYER, effect.source) for name, rule in effect.rules]
    db.executemany(_RULE, rows)
    db.execute(_TRUSTS)
    if effect.policies:
        db.execute(_POLICIES, (effect.source, json.dumps(effect.policies), at))
    db.execute("UPDATE fleet_membership SET rules_version = ?", (effect.version,))


def _set_claims(db: sqlite3.Connection, effect: SetPeerClaims, at: str) -> None:
    given = json.dumps(
        [
            (
                one.key,
                one.address,
                redact(one.root),
                one.kind,
                redact(one.pattern),
                redact(one.why) if one.why else None,
                one.created_at,
                one.expires_at,
            )
            for one in effect.claims
        ]
    )
    db.execute(_END_OTHERS, (given, at))
    db.execute(_EXTEND, (given,))
    db.execute(_ADD, (given,))
