"""Fact requests about the fleet of many hosts."""

from hookd.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class FleetMembership:
    """The fleet that this host is in; None if it is in no fleet."""


@dataclass(frozen=True, slots=True)
class WaitingRows:
    """How many rows of the outbox and events wait for the central store, refused ones too."""


@dataclass(frozen=True, slots=True)
class KnownItems:
    """Those of some ids of items that were accepted before."""

    ids: tuple[str, ...]


FleetRequest = FleetMembership | WaitingRows | KnownItems
