"""Membership: the fleet of many hosts that this host is in, as it is stored."""

from typing import Literal, get_args

from hookd.lazy_dataclass import dataclass

FleetMode = Literal["status", "decisions", "events"]
"""What goes up: the state of sessions; decisions on events, too; and payloads, too."""

Acceptable = Literal["mail", "claims", "rules", "pause"]
"""Kinds of items that may come down, if the host accepts them."""

Stream = Literal["changes", "events"]
"""Rows of the outbox, and events from their own table: each is sent by its numbers."""

Position = dict[Stream, int]
"""The number of each stream up to which something holds, such as that it was sent."""

FLEET_MODES: tuple[FleetMode, ...] = get_args(FleetMode)
ACCEPTABLE: tuple[Acceptable, ...] = get_args(Acceptable)


@dataclass(frozen=True, slots=True)
class Membership:
    """The fleet that this host is in.

    `shipped` is the number of the last row of the outbox that was sent, `shipped_events` that of
    the last event.
    `leaving`: nothing new is sent. `seen_at` is when the sync process last reported,
    `contact_at` when the central store last answered, `problem` why it does not. `epoch` names the
    sequences of both.
    """

    tenant: str
    host: str
    mode: FleetMode
    accept: tuple[str, ...]
    epoch: str
    keys: tuple[str, ...]
    shipped: int
    leaving: bool
    shipped_events: int = 0
    rules_version: int = 0
    contact_at: str | None = None
    problem: str | None = None
    items_after: str | None = None
    joined_at: str | None = None
    seen_at: str | None = None
