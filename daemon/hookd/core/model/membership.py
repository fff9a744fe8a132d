"""Membership: the fleet of many hosts that this host is in, as it is stored."""

from typing import Literal, get_args

from hookd.lazy_dataclass import dataclass

FleetMode = Literal["status", "decisions", "events"]
"""What goes up: the state of sessions; decisions on events, too; and payloads, too."""

Acceptable = Literal["mail", "claims", "rules", "pause"]
"""Kinds of items that may come down, if the host accepts them."""

FLEET_MODES: tuple[FleetMode, ...] = get_args(FleetMode)
ACCEPTABLE: tuple[Acceptable, ...] = get_args(Acceptable)


@dataclass(frozen=True, slots=True)
class Membership:
    """The fleet that this host is in; `shipped` is the number of the last row that was sent.

    `leaving`: nothing new is sent. `seen_at` is when the sync process last reported,
    `contact_at` when the central store last answered, `problem` why it does not. `epoch` names the
    sequence of the outbox.
    """

    tenant: str
    host: str
    mode: FleetMode
    accept: tuple[str, ...]
    epoch: str
    keys: tuple[str, ...]
    shipped: int
    leaving: bool
    rules_version: int = 0
    contact_at: str | None = None
    problem: str | None = None
    items_after: str | None = None
    joined_at: str | None = None
    seen_at: str | None = None
