"""Shapes of signed items on the wire: what the sync process sends to the daemon."""

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import Field

from hookd.core.fleet.incoming import Envelope, HostKey
from hookd.core.fleet.incoming import Result as ItemResult
from hookd.core.model.method import Wire


class Signed(Wire):
    """An item, as its sender signed it."""

    item: dict[str, Any]
    signature: str = Field(max_length=200)


class Key(Wire):
    """The public key of a host, and the fleet's signature that it is its key."""

    public_key: str = Field(max_length=200)
    certificate: str = Field(max_length=200)


class Outcome(Wire):
    """What became of an item: accepted, refused, replayed, or ignored."""

    id: str
    kind: str
    sender: str | None
    outcome: str
    reason: str


def envelopes(items: Iterable[Signed]) -> list[Envelope]:
    """Return the items with their signatures."""
    return [Envelope(one.item, one.signature) for one in items]


def keys(hosts: Mapping[str, Key]) -> dict[str, HostKey]:
    """Return the keys of hosts."""
    return {name: HostKey(one.public_key, one.certificate) for name, one in hosts.items()}


def outcomes(results: Iterable[ItemResult]) -> list[Outcome]:
    """Return what became of items."""
    return [Outcome.model_validate(one, from_attributes=True) for one in results]
