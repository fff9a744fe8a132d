"""Effects on the membership in a fleet of many hosts, and on the outbox."""

from hookd.core.model.membership import FleetMode
from hookd.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class JoinFleet:
    """Store the membership, or change it, and let rows of the mode go to the outbox from now on."""

    tenant: str
    host: str
    mode: FleetMode
    accept: tuple[str, ...]
    epoch: str
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LeaveFleet:
    """Let nothing more go to the outbox. `announce`: but one row that says so; else drop all."""

    announce: bool


@dataclass(frozen=True, slots=True)
class DropShipped:
    """Delete the rows of the outbox up to a number: the central store has them."""

    through: int


@dataclass(frozen=True, slots=True)
class RejectRow:
    """Keep a row of the outbox that the central store refused, with the reason."""

    seq: int
    reason: str


@dataclass(frozen=True, slots=True)
class RetryRejected:
    """Let the refused rows wait again, behind all others."""


@dataclass(frozen=True, slots=True)
class DropRejected:
    """Drop the refused rows."""


@dataclass(frozen=True, slots=True)
class RestartOutbox:
    """Begin another epoch: waiting rows get numbers above `above`; `known` are dropped."""

    epoch: str
    above: int
    known: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class NoteContact:
    """Store what the sync process reports; `contact`: the central store has answered."""

    contact: bool
    problem: str | None
    next_step: str | None
    clock_ms: int | None


@dataclass(frozen=True, slots=True)
class AddOutboxRow:
    """Add a row to the outbox if this host is in a fleet; `body` is JSON."""

    kind: str
    row_id: int | None
    body: str
