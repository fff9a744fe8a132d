"""The board's connection to the daemon: subscriptions, its status, and calls."""

import asyncio
import time
from collections.abc import Callable, Mapping
from contextlib import aclosing
from datetime import datetime, timedelta
from typing import Any

from hookd import paths
from hookd.cli.board.sources import CallError
from hookd.cli.board.state import BoardState
from hookd.cli.lib.client import stop_sentence
from hookd.display.amounts import parsed_time
from hookd.socket_client.client import Connection, SocketClient, Status, Wanted
from hookd.socket_client.errors import RefusedError, SocketError
from hookd.socket_client.messages import Notification
from hookd.system import stop_marker

_STATUS_INTERVAL_S = 2.0
"""Seconds between two looks at the daemon's status: a pause, settings that are not used."""

_RETRY_S = 5.0
"""Seconds until it subscribes again after the daemon has refused it."""

_FIRST_EVENTS = 0
"""The event after which the stream begins: the daemon sends the newest of all."""


class LiveFeed:
    """The feed of a running board; see `sources.Feed`."""

    def __init__(self) -> None:
        self.link: str = Status.RECONNECTING
        self.why, self.step = "Connecting.", ""
        self.daemon: Mapping[str, Any] | None = None
        self.stop = ""
        self.cannot_answer = ""
        self._client = SocketClient()
        self._now: tuple[datetime, float] | None = None
        self._whole = False
        self.retry_s = _RETRY_S

    def now(self) -> datetime | None:
        """Return the daemon's time, from its last answer on; None before it has answered."""
        if self._now is None:
            return None
        then, at = self._now
        return then + timedelta(seconds=time.monotonic() - at)

    async def run(self, state: BoardState, changed: Callable[[], None]) -> None:
        """Keep the state current, until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._subscribe(state, changed))
            tasks.create_task(self._look(changed))

    async def call(self, method: str, params: Mapping[str, Any]) -> Any:
        """Return the result of a method. Raise CallError."""
        try:
            return await self._client.call(method, params)
        except SocketError as error:
            raise CallError(error.sentence, error.step) from None

    async def _subscribe(self, state: BoardState, changed: Callable[[], None]) -> None:
        try:
            await self._follow(state, changed, can_answer=True)
        except RefusedError as error:
            # Answers are for a person, and the daemon takes this process for another.
            self.cannot_answer = error.sentence
        while True:
            try:
                await self._follow(state, changed, can_answer=False)
            except RefusedError as error:
                await self._connection(
                    Connection(Status.RECONNECTING, error.sentence, error.step), state
                )
                changed()
                await asyncio.sleep(self.retry_s)

    async def _follow(
        self, state: BoardState, changed: Callable[[], None], *, can_answer: bool
    ) -> None:
        """Take what the daemon sends. Raise RefusedError."""
        wanted = (
            Wanted("fleet.subscribe"),
            Wanted("events.subscribe", {"after": state.last_id or _FIRST_EVENTS}),
            Wanted("approvals.subscribe", {"canAnswer": can_answer}),
        )
        async with aclosing(self._client.subscribe(*wanted)) as items:
            async for item in items:
                if isinstance(item, Connection):
                    await self._connection(item, state)
                else:
                    self._take(item, state)
                changed()

    async def _connection(self, item: Connection, state: BoardState) -> None:
        self.link, self.step = item.status, item.step
        self.why = f"{item.reason} {item.step and f'Next: {item.step}.'}".strip()
        state.forget_approvals()
        if item.status in (Status.CONNECTED, Status.OLDER):
            self._whole = True  # the next notification of the fleet has all rows
            await self._read_status()

    def _take(self, item: Notification, state: BoardState) -> None:
        told = item.params
        if item.method == "fleet.changed":
            if self._whole:
                state.replace_agents(told["agents"])
                self._whole = False
            else:
                state.change_agents(told["agents"], told["gone"])
        elif item.method == "events.added":
            first = not state.last_id
            state.add_events(told["events"], 0 if first else told["skipped"])
        elif item.method == "approvals.changed":
            state.change_approvals(told["pending"], told["ended"])

    async def _look(self, changed: Callable[[], None]) -> None:
        """Read the daemon's status and the stop marker again and again."""
        while True:
            await asyncio.sleep(_STATUS_INTERVAL_S)
            before = (self.daemon, self.stop)
            await self._read_status()
            if (self.daemon, self.stop) != before:
                changed()

    async def _read_status(self) -> None:
        stop = stop_marker.read(paths.paths().stopped)
        self.stop = stop_sentence(stop) if stop else ""
        if self.link not in (Status.CONNECTED, Status.OLDER):
            return
        try:
            self.daemon = await self._client.call("daemon.status")
        except SocketError:
            return  # the subscription notices it, too
        now = parsed_time(self.daemon.get("now") if self.daemon else None)
        if now is not None:
            self._now = (now, time.monotonic())
