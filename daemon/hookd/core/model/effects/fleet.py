"""Effects on the membership in a fleet of many hosts, and on the outbox."""

from hookd.core.model.membership import FleetMode, Stream
from hookd.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class JoinFleet:
    """Store the membership, or change it: from now on, rows of the mode wait to be sent."""

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
    """Note that the central store has the rows of the outbox, and events, up to a number each."""

    through: int
    events: int = 0


@dataclass(frozen=True, slots=True)
class RejectRow:
    """Keep a row of the outbox, or an event, that the central store refused, with the reason."""

    seq: int
    reason: str
    stream: Stream = "changes"


@dataclass(frozen=True, slots=True)
class RetryRejected:
    """Let the refused rows wait again, behind all others."""


@dataclass(frozen=True, slots=True)
class DropRejected:
    """Drop the refused rows, and the count of events that were dropped before."""


@dataclass(frozen=True, slots=True)
class RestartOutbox:
    """Begin another epoch: rows that wait get numbers above `above`.

    The central store has the rows `known`, and events up to `events`.
    """

    epoch: str
    above: int
    known: tuple[int, ...]
    events: int = 0


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
