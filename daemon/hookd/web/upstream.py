"""The daemon as the web server sees it: calls, and one subscription for all browsers.

Notifications become signals. It subscribes while a page is open, and to answer permission
requests only with `--allow-changes`: without an open page no request is held.
"""

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import aclosing
from typing import Any

from hookd.paths import Paths
from hookd.socket_client.client import Connection, SocketClient, Status, Wanted
from hookd.socket_client.errors import SocketError
from hookd.socket_client.messages import Notification
from hookd.web.context import DaemonError
from hookd.web.signals import STATE, Signals

_STATUS_AGE_S = 2.0
"""Age up to which a status is shown again without another call."""

_STATUS_TIMEOUT_S = 1.0
_STATUS_INTERVAL_S = 5.0
"""Time between two looks at the status while a page is open: a pause is no event."""

_GRACE_S = 5.0
"""Time without an open page after which the subscription ends: a click on a link is shorter."""

_RETRY_S = 5.0

_TOLD = ("pausedUntil", "suspended", "unkept", "version")
"""Values of the status that are shown on every page."""


class Upstream:
    """`connection` is the state of the connection, `status` the last result of daemon.status."""

    def __init__(self, places: Paths, signals: Signals, *, can_answer: bool) -> None:
        self._client = SocketClient(places)
        self._signals = signals
        self._wanted = [Wanted("fleet.subscribe"), Wanted("events.subscribe", {"after": None})]
        if can_answer:
            self._wanted.append(Wanted("approvals.subscribe", {"canAnswer": True}))
        self._asked = -_STATUS_AGE_S
        self._begins = False
        self.connection = Connection(Status.CONNECTED)
        self.status: Mapping[str, Any] = {}

    async def call(self, method: str, params: Mapping[str, Any]) -> Any:
        """Return a method's result. Raise DaemonError."""
        try:
            return await self._client.call(method, dict(params))
        except SocketError as error:
            raise DaemonError(error.sentence, error.step) from error

    async def refresh(self) -> None:
        """Read the status if the last one is old: a page is right without a subscription."""
        clock = asyncio.get_running_loop().time
        if clock() - self._asked < _STATUS_AGE_S:
            return
        self._asked = clock()
        before = self._told()
        try:
            async with asyncio.timeout(_STATUS_TIMEOUT_S):
                self.status = await self._client.call("daemon.status")
            if self.connection.status not in (Status.CONNECTED, Status.OLDER):
                self.connection = Connection(Status.CONNECTED)
        except (SocketError, TimeoutError) as error:
            reason = str(error) or "The daemon does not answer."
            step = getattr(error, "step", "hookd status")
            self.connection = Connection(Status.RECONNECTING, reason, step)
        if before != self._told():
            self._signals.publish([STATE])

    async def run(self) -> None:
        """Follow the daemon while a page is open, until cancelled."""
        while True:
            await self._signals.watched()
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(self._follow()), group.create_task(self._look())]
                await self._signals.abandoned(_GRACE_S)
                for task in tasks:
                    task.cancel()

    async def _look(self) -> None:
        while True:
            await self.refresh()
            await asyncio.sleep(_STATUS_INTERVAL_S)

    async def _follow(self) -> None:
        """Turn notifications into signals."""
        while True:
            try:
                async with aclosing(self._client.subscribe(*self._wanted)) as items:
                    async for item in items:
                        self._take(item)
            except SocketError as error:  # the daemon refuses a subscription
                self._take(Connection(Status.RECONNECTING, error.sentence, error.step))
                await asyncio.sleep(_RETRY_S)

    def _take(self, item: Connection | Notification) -> None:
        if isinstance(item, Connection):
            self.connection = item
            self._begins = True
            self._asked = -_STATUS_AGE_S
            self._signals.publish([STATE])
        elif self._begins and item.method == "events.added":
            self._begins = False  # events of the time since a page was read were not sent
            self._signals.publish_all()
        else:
            self._signals.publish(set(topics(item)))

    def _told(self) -> tuple[object, ...]:
        return (self.connection, *(repr(self.status.get(name)) for name in _TOLD))


def topics(told: Notification) -> Iterator[str]:
    """Yield the topics that a notification changes."""
    params = told.params if isinstance(told.params, dict) else {}
    match told.method:
        case "fleet.changed":
            yield "fleet"
        case "approvals.changed":
            yield "approvals"
        case "events.added":
            yield "events"
            for event in params.get("events", ()):
                if event.get("sessionId"):
                    yield f"session:{event['sessionId']}"
                if event.get("decision"):
                    yield "decisions"
            if params.get("skipped"):
                yield "decisions"
        case _:
            pass
