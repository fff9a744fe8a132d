"""What all pages of one server share: the database, the daemon, signals and secrets."""

from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol, TypeVar

from hookd.lazy_dataclass import dataclass
from hookd.socket_client.client import Connection
from hookd.web.access import Rules
from hookd.web.keys import Keys
from hookd.web.reads import Reads
from hookd.web.signals import Signals

Row = Mapping[str, Any]
T = TypeVar("T")


class Source(Protocol):
    """What pages read: the database file (Browser), or the central store of a fleet (Viewer)."""

    def read(self, query: Callable[[Any], T]) -> T:
        """Return what a query finds on a connection. Raise BrowseError or CentralError."""

    def close(self) -> None:
        """Close the connections."""


class Policies(Protocol):
    """The effective policies of a project, by the settings of all layers."""

    def rows(self, root: str) -> list[dict[str, Any]]:
        """Return a row for each policy: its mode in a project and why."""

    def one(self, name: str, root: str) -> dict[str, Any] | None:
        """Return a policy with its description and options; None if there is none."""


class Daemon(Protocol):
    """The daemon as this process sees it: the connection, and the last result of daemon.status."""

    connection: Connection
    status: Row

    async def refresh(self) -> None:
        """Read the status if the last one is old."""

    async def call(self, method: str, params: Row) -> Any:
        """Return a method's result. Raise DaemonError."""


class DaemonError(Exception):
    """The daemon did not do what was asked; the text says why, `step` is the next command."""

    def __init__(self, sentence: str, step: str = "") -> None:
        super().__init__(sentence)
        self.step = step


@dataclass(frozen=True, slots=True)
class Context:
    """The parts of one server. `clock` returns the time in UTC, `metrics` the text of /metrics.

    `stop_marker` is the file of a stop by a person; None where no page is of this machine.
    """

    rules: Rules
    keys: Keys
    browser: Source
    reads: Reads
    signals: Signals
    daemon: Daemon
    policies: Policies
    stop_marker: Path | None
    clock: Callable[[], datetime]
    metrics: Callable[[], Awaitable[bytes]]
