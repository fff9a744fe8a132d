"""What pages of the central board have in place of a daemon: a signal at an interval."""

import asyncio
from collections.abc import Mapping
from typing import Any

from hookd.socket_client.client import Connection, Status
from hookd.web.context import DaemonError
from hookd.web.signals import Signals

INTERVAL_S = 10.0
"""Seconds between two signals while a page is open."""


class CentralTicks:
    """Lets open pages read the central store again at an interval."""

    def __init__(self, signals: Signals, interval_s: float = INTERVAL_S) -> None:
        self._signals = signals
        self._interval_s = interval_s
        self.connection = Connection(Status.CONNECTED)
        self.status: Mapping[str, Any] = {}

    async def refresh(self) -> None:
        """Do nothing: no page of the central board shows this machine's daemon."""

    async def call(self, method: str, params: Mapping[str, Any]) -> Any:
        """Raise DaemonError: the central board changes nothing."""
        raise DaemonError("The central board is read-only.")

    async def run(self) -> None:
        """Publish a signal at each interval while a page is open, until cancelled."""
        while True:
            await self._signals.watched()
            await asyncio.sleep(self._interval_s)
            self._signals.publish(["fleet"])
