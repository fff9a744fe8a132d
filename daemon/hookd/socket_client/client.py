"""Asynchronous client of the daemon: calls, and subscriptions that reconnect.

Texts from the daemon are returned as they are; whoever shows them escapes them.
"""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import field, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from hookd import paths
from hookd.lazy_dataclass import dataclass
from hookd.paths import Paths
from hookd.socket_client.errors import (
    INTERNAL,
    NO_METHOD,
    START,
    NoDaemonError,
    RefusedError,
    SocketError,
    State,
    no_daemon,
    refused,
)
from hookd.socket_client.link import Link, connected
from hookd.socket_client.messages import (
    Message,
    Notification,
    Params,
    is_notification,
    notification,
    request,
)
from hookd.system import stop_marker

_MIN_BACK_OFF_S = 0.1
_MAX_BACK_OFF_S = 2.0
"""Time until the next attempt to connect; it doubles with each."""

_QUIET_S = 10.0
"""Time without a notification after which the daemon is asked whether it is alive."""

_PATIENCE_S = 3.0
"""Time that it has to answer then, or to confirm subscriptions."""

_PING = 0
"""The id of that question."""


class Status(StrEnum):
    """Status of a subscription's connection."""

    CONNECTED = "connected"
    RECONNECTING = "reconnecting"
    STOPPED = "stopped"
    """By `hookd stop`."""

    OLDER = "older"
    """Connected with a daemon of an older version, which lacks a method."""


@dataclass(frozen=True, slots=True)
class Connection:
    """A change of the connection: its status, the reason in words, and the next step.

    `missing` are the methods that an older daemon lacks; the other subscriptions work. `since` is
    the time of `hookd stop`, if known.
    """

    status: Status
    reason: str = ""
    step: str = ""
    missing: tuple[str, ...] = ()
    since: datetime | None = None


@dataclass(slots=True)
class Wanted:
    """A method to subscribe with, such as `events.subscribe`, and its params."""

    method: str
    params: Mapping[str, Any] = field(default_factory=dict)

    def note(self, received: Notification) -> None:
        """Remember what a notification says about where the next subscription starts."""
        told = received.params
        if received.method == "events.added" and self.method == "events.subscribe":
            last = told.get("last") if isinstance(told, dict) else None
            if isinstance(last, int):
                self.params = {**self.params, "after": last}


class SocketClient:
    """Calls and subscriptions of the user's daemon; `places` has its socket."""

    def __init__(self, places: Paths | None = None) -> None:
        self._places = places or paths.paths()

    async def call(self, method: str, params: Params | None = None) -> Any:
        """Return a method's result. Raise RefusedError for the daemon's error, else SocketError.

        It waits as long as the daemon is alive: a query may be slow, a hung daemon is an error.
        """
        line = request(1, method, {} if params is None else params)
        try:
            async with connected(self._places) as link:
                await link.send(line)
                while is_notification(answer := await link.answer_part()):
                    pass
        except NoDaemonError as error:
            if stop := self._stopped(error):
                raise NoDaemonError(stop.reason, stop.step, error.state) from None
            raise
        return _result(method, answer)

    async def subscribe(self, *wanted: Wanted) -> AsyncGenerator[Connection | Notification, None]:
        """Yield notifications and changes of the connection, until the caller closes it.

        After the end of a connection it reconnects and subscribes again. `events.added` continues
        after the last event that arrived, other notifications begin with all rows again, which
        replace the earlier ones. Raise RefusedError if the daemon refuses a subscription for
        another reason than its age. Use it within `contextlib.aclosing`.
        """
        wanted = tuple(map(replace, wanted))  # their params change
        clock, told = asyncio.get_running_loop().time, None
        back_off = _MIN_BACK_OFF_S
        while True:
            began = clock()
            try:
                async with aclosing(self._session(wanted)) as items:
                    async for item in items:
                        if item != told:
                            yield item
                        if isinstance(item, Connection):
                            told = item
            except RefusedError as error:
                if error.code != INTERNAL:
                    raise
                state = self._lost(error)
            except SocketError as error:
                state = self._lost(error)
            if state != told:
                told = state
                yield state
            if clock() - began > _MAX_BACK_OFF_S:
                back_off = _MIN_BACK_OFF_S
            await asyncio.sleep(back_off)
            back_off = min(back_off * 2, _MAX_BACK_OFF_S)

    async def _session(
        self, wanted: tuple[Wanted, ...]
    ) -> AsyncGenerator[Connection | Notification, None]:
        """Subscribe on a new connection; yield its state, then notifications. Raise SocketError."""
        async with connected(self._places) as link:
            try:
                async with asyncio.timeout(_PATIENCE_S):
                    missing, early = await _subscribed(link, wanted)
            except TimeoutError:
                raise no_daemon(self._places, State.HUNG) from None
            yield _connection(missing)
            async with aclosing(self._notifications(link, early)) as notifications:
                async for one in notifications:
                    for each in wanted:
                        each.note(one)
                    yield one

    async def _notifications(
        self, link: Link, early: list[Message]
    ) -> AsyncGenerator[Notification, None]:
        """Yield notifications. Raise SocketError at the end of the connection."""
        for message in early:
            yield _checked(notification(message))
        while True:
            message = await self._next(link)
            if is_notification(message):
                yield _checked(notification(message))

    async def _next(self, link: Link) -> Message:
        """Return the next message; after a silence, ask whether the daemon is alive."""
        try:
            async with asyncio.timeout(_QUIET_S):
                return await link.message()
        except TimeoutError:
            await link.send(request(_PING, "daemon.status", {}))
        try:
            async with asyncio.timeout(_PATIENCE_S):
                return await link.message()
        except TimeoutError:
            raise no_daemon(self._places, State.HUNG) from None

    def _lost(self, error: SocketError) -> Connection:
        """Return the state after an error of the connection."""
        if stop := self._stopped(error):
            return stop
        return Connection(Status.RECONNECTING, error.sentence, error.step)

    def _stopped(self, error: SocketError) -> Connection | None:
        """Return the state if `hookd stop` is the reason of an error."""
        if isinstance(error, NoDaemonError) and error.state in (State.HUNG, State.FOREIGN):
            return None
        stop = stop_marker.read(self._places.stopped)
        if stop is None:
            return None
        reason = "hookd is stopped, by hookd stop: every call runs unchecked."
        return Connection(Status.STOPPED, reason, START, since=stop.at)


async def _subscribed(
    link: Link, wanted: tuple[Wanted, ...]
) -> tuple[tuple[str, ...], list[Message]]:
    """Subscribe; return the methods that the daemon lacks, and notifications that came meanwhile.

    Raise RefusedError if it refuses one for another reason.
    """
    await link.send(*(request(n, one.method, one.params) for n, one in enumerate(wanted, 1)))
    answers: dict[int, Message] = {}
    early = []
    while len(answers) < len(wanted):
        message = await link.message()
        if is_notification(message):
            early.append(message)
        elif message.get("id") in range(1, len(wanted) + 1):
            answers[message["id"]] = message
    missing = []
    for number, one in enumerate(wanted, 1):
        try:
            _result(one.method, answers[number])
        except RefusedError as error:
            if error.code != NO_METHOD:
                raise
            missing.append(one.method)
    return tuple(missing), early


def _connection(missing: tuple[str, ...]) -> Connection:
    if not missing:
        return Connection(Status.CONNECTED)
    lacks = f"The daemon is older than this hookd: it has no method {', '.join(missing)}."
    return Connection(Status.OLDER, lacks, "hookd restart", missing)


def _checked(received: Notification) -> Notification:
    """Return a notification. Raise SocketError if it is the last one of a slow reader."""
    if not received.method.endswith(".dropped"):
        return received
    reason = received.params.get("reason") if isinstance(received.params, dict) else None
    raise SocketError(f"The daemon ended the subscription: {reason or received.method}.")


def _result(method: str, answer: Message) -> Any:
    """Return the result of an answer. Raise RefusedError."""
    if "error" in answer:
        raise refused(method, answer["error"])
    return answer.get("result")
