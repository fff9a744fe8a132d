"""A publisher reads after a change and for a new subscriber, and survives a fault."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest

from hookd.daemon.publisher import Publisher, Publishers
from hookd.rpc.subscriptions import Subscriber, Subscriptions


class Link(Subscriber):
    """A connection that reads nothing."""

    def __init__(self) -> None:
        self.pid = None

    def send(self, line: bytes) -> bool:
        return True

    def close_with(self, line: bytes) -> None:
        raise AssertionError


class Counting(Publisher):
    """Counts how often it is asked to publish; fails as often as `faults` says."""

    def __init__(self, topic: str, faults: int = 0, every: float | None = None) -> None:
        self.subscriptions = Subscriptions()
        super().__init__(self.subscriptions, topic, 0.001, every)
        self.faults = faults
        self.asked: list[Any] = []
        self.published: asyncio.Queue[int] = asyncio.Queue()
        self.count = 0

    def subscriber_added(self, link: Subscriber, params: Any) -> None:
        self.asked.append(params)
        super().subscriber_added(link, params)

    async def publish(self) -> None:
        self.count += 1
        self.published.put_nowait(self.count)
        if self.count <= self.faults:
            raise ValueError("it failed")

    async def next(self) -> int:
        async with asyncio.timeout(20):
            return await self.published.get()


@asynccontextmanager
async def running(*publishers: Counting) -> AsyncIterator[Publishers]:
    together = Publishers(*publishers)
    task = asyncio.create_task(together.run())
    try:
        yield together
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def test_only_a_change_with_a_subscriber_is_published() -> None:
    one, other = Counting("one"), Counting("other")
    async with running(one, other) as together:
        together.mark_changed()
        other.subscriptions.add("other", link := Link())
        together.subscriber_added("other", link, {"after": 3})
        assert await other.next() == 1
        together.mark_changed()
        assert await other.next() == 2
    assert (one.count, other.asked, one.asked) == (0, [{"after": 3}], [])


async def test_a_topic_without_a_publisher_is_nobodys() -> None:
    async with running(one := Counting("one")) as together:
        together.subscriber_added("run:7", Link(), None)
        await asyncio.sleep(0)
    assert one.count == 0


async def test_a_fault_is_logged_and_the_next_change_is_published(
    caplog: pytest.LogCaptureFixture,
) -> None:
    one = Counting("one", faults=1)
    one.subscriptions.add("one", Link())
    async with running(one) as together:
        together.mark_changed()
        assert await one.next() == 1
        together.mark_changed()
        assert await one.next() == 2
    assert [record.message for record in caplog.records] == ["subscribers not notified"]


async def test_subscribers_are_served_without_a_change_if_there_is_a_longest_time() -> None:
    one = Counting("one", every=0.01)
    one.subscriptions.add("one", Link())
    async with running(one):
        assert [await one.next(), await one.next()] == [1, 2]
