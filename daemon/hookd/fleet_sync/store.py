"""Protocols of the shipper: the central store, and the host's daemon, with its errors."""

from typing import Protocol

from hookd.core.model.membership import Position, Stream
from hookd.lazy_dataclass import dataclass


class LedgerError(Exception):
    """The daemon does not answer, refuses, or cannot write."""


class NotMemberError(Exception):
    """The host is in no fleet any more."""


@dataclass(frozen=True, slots=True)
class Beat:
    """A heartbeat: how things go up, and the open sessions with their counters, as JSON.

    With `leaving` it does not undo that the host has left.
    """

    mode: str
    accepts: tuple[str, ...]
    sessions: str
    leaving: bool = False


class Central(Protocol):
    """A connection to the central store. Its methods raise CentralError.

    `clock_ms` is how far this host's clock was ahead at the last heartbeat.
    """

    clock_ms: int | None

    async def hello(self, epoch: str, beat: Beat) -> Position:
        """Report that the host lives; return what the store has of the epoch."""

    async def ship(self, epoch: str, stream: Stream, lines: bytes) -> int:
        """Apply rows, each once, in one transaction; return the last number of the stream.

        Raise RejectedError, a CentralError.
        """

    async def sent(self, events: list[tuple[int, str]]) -> list[int]:
        """Return which events, by number and time, the store has."""

    async def close(self) -> None:
        """Close the connection."""


@dataclass(frozen=True, slots=True)
class Report:
    """How sending goes: `contact` if the central store has answered, else why not."""

    contact: bool
    problem: str | None = None
    step: str | None = None
    clock_ms: int | None = None


class Ledger(Protocol):
    """The host's daemon, which alone writes the database.

    Its methods raise LedgerError and NotMemberError.
    """

    async def shipped(self, epoch: str, sent: Position) -> bool:
        """Note what was sent, and drop it; return whether the epoch is current."""

    async def reject(self, stream: Stream, seq: int, reason: str) -> None:
        """Keep a row that the central store refuses."""

    async def restart(self, epoch: str, sent: Position, known: list[int]) -> None:
        """Begin another epoch; `known` are rows that the central store has, of those that wait."""

    async def report(self, report: Report) -> None:
        """Store how sending goes."""
