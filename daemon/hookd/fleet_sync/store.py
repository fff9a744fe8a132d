"""Protocols of the shipper: the central store, and the host's daemon, with its errors."""

from typing import Protocol

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

    async def hello(self, epoch: str, beat: Beat) -> int:
        """Report that the host lives; return the last number that the store has of the epoch."""

    async def ship(self, epoch: str, lines: bytes) -> int:
        """Apply rows, each once, in one transaction; return the last number.

        Raise RejectedError, a CentralError.
        """

    async def sent(self, epoch: str, rows: list[tuple[int, str, int | None]]) -> list[int]:
        """Return which events, by number, time and id, the store has."""

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
    """The host's daemon, which alone writes the outbox.

    Its methods raise LedgerError and NotMemberError.
    """

    async def shipped(self, epoch: str, through: int) -> bool:
        """Drop rows that were sent; return whether the epoch is current."""

    async def reject(self, seq: int, reason: str) -> None:
        """Keep a row that the central store refuses."""

    async def restart(self, epoch: str, above: int, known: list[int]) -> None:
        """Begin another epoch."""

    async def report(self, report: Report) -> None:
        """Store how sending goes."""
