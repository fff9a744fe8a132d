"""Publisher: the loop that reads after a change, and sends subscribers of a topic what is new."""

import asyncio
from contextlib import suppress
from typing import Any

from hookd.core.model.identity import Identity
from hookd.log.logger import LOG
from hookd.rpc.subscriptions import Subscriber, Subscriptions


class Publisher:
    """Calls `publish` after a change, at most once in `min_interval_s` seconds.

    With `max_interval_s` it is called that often for subscribers, even without a change. Without a
    change and without a subscriber nothing is read. A fault is logged, and ends nothing.
    """

    def __init__(
        self,
        subscriptions: Subscriptions,
        topic: str,
        min_interval_s: float,
        max_interval_s: float | None = None,
    ) -> None:
        self._subscriptions = subscriptions
        self._topic = topic
        self._min_interval_s, self._max_interval_s = min_interval_s, max_interval_s
        self._wanted = asyncio.Event()

    @property
    def topic(self) -> str:
        """The topic of its subscribers."""
        return self._topic

    @property
    def links(self) -> tuple[Subscriber, ...]:
        """The subscribers of the topic."""
        return self._subscriptions.of(self._topic)

    def subscriber_added(self, _link: Subscriber, _params: Any) -> None:
        """Note that there is a subscriber that has received nothing yet, and what it asked for."""
        self._wanted.set()

    def mark_changed(self, _who: Identity | None = None) -> None:
        """Note that something was committed; `who` sent the event, if any."""
        if self._subscriptions.any(self._topic):
            self._wanted.set()

    async def run(self) -> None:
        """Publish after each change, until cancelled."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(self._max_interval_s if self.links else None):
                    await self._wanted.wait()
            self._wanted.clear()
            try:
                await self.publish()
            except Exception:  # noqa: BLE001 - it must not end the daemon
                LOG.exception("subscribers not notified", extra={"about": {"topic": self._topic}})
            await asyncio.sleep(self._min_interval_s)

    async def publish(self) -> None:
        """Read, and send each subscriber what is new for it."""
        raise NotImplementedError


class Publishers:
    """All publishers: each commit is for all of them, a subscriber for that of its topic."""

    def __init__(self, *publishers: Publisher) -> None:
        self._publishers = publishers
        self._by_topic = {one.topic: one for one in publishers}

    def mark_changed(self, who: Identity | None = None) -> None:
        """Note that something was committed; `who` sent the event, if any."""
        for one in self._publishers:
            one.mark_changed(who)

    def subscriber_added(self, topic: str, link: Subscriber, params: Any) -> None:
        """Note that there is a new subscriber, and what it asked for."""
        if topic in self._by_topic:
            self._by_topic[topic].subscriber_added(link, params)

    async def run(self) -> None:
        """Publish until cancelled."""
        async with asyncio.TaskGroup() as group:
            for one in self._publishers:
                group.create_task(one.run())
