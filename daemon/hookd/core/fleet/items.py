"""Signed items that come down to a host of a fleet: mail, claims, rules, pause, resume, key.

An item is signed over its canonical bytes: the fleet's key signs rules, pause, resume and key, a
host's key its own mail and claims.
"""

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, get_args
from uuid import UUID

from hookd.lazy_dataclass import dataclass
from hookd.lazy_pattern import lazy_compile

VERSION = 1
"""Version of what is signed: items and certificates, in their canonical form."""

MAX_BODY_BYTES = 131_072
"""Bytes of the canonical JSON of an item's body."""

Kind = Literal["mail", "claim", "rules", "pause", "resume", "key"]
Accepted = Literal["mail", "claims", "rules", "pause"]
"""What a host may accept, as `hookd fleet join --accept` names it."""

KINDS: tuple[Kind, ...] = get_args(Kind)
ACCEPTED: tuple[Accepted, ...] = get_args(Accepted)

BY_FLEET: frozenset[Kind] = frozenset({"rules", "pause", "resume", "key"})
"""Kinds that the fleet's key signs; a host signs the others."""

ACCEPT_OF: Mapping[Kind, Accepted] = {
    "mail": "mail",
    "claim": "claims",
    "rules": "rules",
    "pause": "pause",
    "resume": "pause",
}
"""What a host must accept to get an item. A key concerns whoever accepts anything."""

LONGEST: Mapping[Kind, timedelta] = {
    "mail": timedelta(days=30),
    "claim": timedelta(days=30),
    "rules": timedelta(days=3_660),
    "pause": timedelta(hours=8),
    "resume": timedelta(hours=8),
    "key": timedelta(days=3_660),
}
"""Longest time from an item's creation to its expiry."""

_NAME = lazy_compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,62}")
_FIELDS = ("id", "kind", "tenant", "sender", "recipient", "created_at", "expires_at", "body")


class InvalidItemError(ValueError):
    """An item that has not the shape of one."""


@dataclass(frozen=True, slots=True)
class Item:
    """An item. `sender` is a host, None for the fleet itself; `recipient` a host, None for all."""

    id: str
    kind: Kind
    tenant: str
    sender: str | None
    recipient: str | None
    created_at: datetime
    expires_at: datetime
    body: Mapping[str, Any]

    @property
    def source(self) -> str:
        """The fleet as the source of what it changed."""
        return fleet_source(self.tenant)


def fleet_source(tenant: str, version: int | None = None) -> str:
    """Return how a fleet is named as the source of a setting.

    >>> fleet_source("acme", 7)
    'fleet acme v7'
    """
    return f"fleet {tenant}" + ("" if version is None else f" v{version}")


def is_name(text: str) -> bool:
    """Return whether a text can be the name of a tenant or a host."""
    return _NAME.fullmatch(text) is not None


def canonical(value: Mapping[str, Any]) -> bytes:
    """Return the only JSON text of a value: sorted keys, no spaces, UTF-8.

    Raise InvalidItemError for a value that has no such text, such as NaN or a lone surrogate.

    >>> canonical({"b": 1, "a": "é"}).decode()
    '{"a":"é","b":1}'
    """
    try:
        return json.dumps(
            value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
        ).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidItemError(f"it has no canonical JSON: {error}") from None


def to_wire(item: Item) -> dict[str, Any]:
    """Return an item as it is stored and sent."""
    return {
        "v": VERSION,
        "id": item.id,
        "kind": item.kind,
        "tenant": item.tenant,
        "sender": item.sender,
        "recipient": item.recipient,
        "created_at": stamp(item.created_at),
        "expires_at": stamp(item.expires_at),
        "body": dict(item.body),
    }


def from_wire(given: Mapping[str, Any]) -> Item:
    """Return the item of a text's JSON. Raise InvalidItemError that says what is wrong.

    Its canonical bytes are those of `given`, so a signature over one is over the other.
    """
    unknown = sorted(set(given) - {"v", *_FIELDS})
    if unknown or given.get("v") != VERSION:
        why = f"unknown field {unknown[0]}" if unknown else f"version {given.get('v')!r}"
        raise InvalidItemError(f"{why}: update hookd, or it is no item")
    kind = given.get("kind")
    if kind not in KINDS:
        raise InvalidItemError(f"unknown kind {str(kind)[:40]!r}")
    body = given.get("body")
    if not isinstance(body, dict):
        raise InvalidItemError("it has no body")
    if len(canonical(body)) > MAX_BODY_BYTES:
        raise InvalidItemError(f"its body has more than {MAX_BODY_BYTES} bytes")
    return Item(
        _uuid(given.get("id")),
        kind,
        _name(given, "tenant"),
        None if given.get("sender") is None else _name(given, "sender"),
        None if given.get("recipient") is None else _name(given, "recipient"),
        _moment(given, "created_at"),
        _moment(given, "expires_at"),
        body,
    )


def stamp(moment: datetime) -> str:
    """Return a time as items have it.

    >>> stamp(datetime(2026, 1, 31, 8, tzinfo=UTC))
    '2026-01-31T08:00:00.000Z'
    """
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _uuid(given: object) -> str:
    try:
        known = str(UUID(str(given)))
    except ValueError:
        known = ""
    if given != known or not known:
        raise InvalidItemError("its id is no UUID in lower case")
    return known


def _name(given: Mapping[str, Any], key: str) -> str:
    value = given.get(key)
    if not isinstance(value, str) or not is_name(value):
        raise InvalidItemError(f"its {key} is no name")
    return value


def _moment(given: Mapping[str, Any], key: str) -> datetime:
    value = given.get(key)
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else None
        if moment is not None and moment.tzinfo and stamp(moment) == value:
            return moment
    except (ValueError, OverflowError):
        pass
    raise InvalidItemError(f"its {key} is no time in UTC with milliseconds")
