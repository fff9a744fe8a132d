"""What all pages of one server share: the database, the daemon, signals and secrets."""

from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

from hookd.lazy_dataclass import dataclass
from hookd.socket_client.client import Connection
from hookd.store.browse.connection import Browser
from hookd.web.access import Rules
from hookd.web.keys import Keys
from hookd.web.reads import Reads
from hookd.web.signals import Signals

Row = Mapping[str, Any]


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
    """The parts of one server. `clock` returns the time in UTC, `metrics` the text of /metrics."""

    rules: Rules
    keys: Keys
    browser: Browser
    reads: Reads
    signals: Signals
    daemon: Daemon
    policies: Policies
    stop_marker: Path
    clock: Callable[[], datetime]
    metrics: Callable[[], Awaitable[bytes]]
