"""Signals: which topics have changed, and the streams that wait for them.

A stream keeps no queue: it has the number of the last signal that it sent, and each topic has the
number of its last change. A slow browser gets one signal for many changes; after a
reconnection it gets what it missed.
"""

import asyncio
from collections.abc import AsyncIterator, Collection, Iterable, Iterator
from contextlib import contextmanager

from hookd.lazy_dataclass import dataclass

HEARTBEAT_S = 15.0
"""Seconds of silence after which a stream sends a heartbeat."""

_MIN_INTERVAL_S = 0.2
"""Seconds between two signals of a stream: changes in between are one signal."""

_MAX_TOPICS = 2_000

STATE = "state"
"""Topic of the daemon's state; every page follows it."""


@dataclass(frozen=True, slots=True)
class Signal:
    """Topics that have changed up to a number; none in a heartbeat."""

    number: int
    topics: tuple[str, ...] = ()


class Signals:
    """The topics of one server and the streams that follow them."""

    def __init__(self) -> None:
        self.number = 0
        self._changed: dict[str, int] = {}
        self._forgotten = 0
        self._waiting: set[asyncio.Event] = set()
        self._present, self._absent = asyncio.Event(), asyncio.Event()
        self._closed = False

    @property
    def streams(self) -> int:
        """Number of streams that are connected."""
        return len(self._waiting)

    def publish(self, topics: Iterable[str]) -> None:
        """Note that topics have changed, and wake the streams."""
        self.number += 1
        for topic in topics:
            self._changed.pop(topic, None)  # the last changed is last in the dict
            self._changed[topic] = self.number
        for topic in list(self._changed)[:-_MAX_TOPICS]:
            self._forgotten = self._changed.pop(topic)
        self._wake()

    def publish_all(self) -> None:
        """Note that any topic may have changed, and wake the streams."""
        self.number += 1
        self._forgotten = self.number
        self._wake()

    async def watched(self) -> None:
        """Wait until a stream is connected."""
        await self._present.wait()

    async def abandoned(self, grace: float) -> None:
        """Wait until no stream was connected for `grace` seconds."""
        while True:
            await self._absent.wait()
            try:
                async with asyncio.timeout(grace):
                    await self._present.wait()
            except TimeoutError:
                return

    def close(self) -> None:
        """End all streams."""
        self._closed = True
        self._wake()

    async def follow(self, topics: Collection[str], since: int | None) -> AsyncIterator[Signal]:
        """Yield what has changed after the signal `since`, until closed; None: from now on."""
        last = self.number if since is None or since > self.number else since
        with self._waiter() as woken:
            while not self._closed:
                woken.clear()
                if changed := self._since(topics, last):
                    last = self.number
                    yield Signal(last, changed)
                    await asyncio.sleep(_MIN_INTERVAL_S)
                    continue
                try:
                    async with asyncio.timeout(HEARTBEAT_S):
                        await woken.wait()
                except TimeoutError:
                    yield Signal(last)

    def _since(self, topics: Collection[str], last: int) -> tuple[str, ...]:
        if last < self._forgotten:
            return tuple(topics)
        return tuple(topic for topic in topics if self._changed.get(topic, 0) > last)

    @contextmanager
    def _waiter(self) -> Iterator[asyncio.Event]:
        event = asyncio.Event()
        self._waiting.add(event)
        self._present.set()
        self._absent.clear()
        try:
            yield event
        finally:
            self._waiting.discard(event)
            if not self._waiting:
                self._present.clear()
                self._absent.set()

    def _wake(self) -> None:
        for event in self._waiting:
            event.set()
