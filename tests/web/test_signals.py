"""Signals: one for many changes, what was missed, and nothing of other topics."""

import asyncio

from hookd.web.signals import Signal, Signals


async def first(signals: Signals, topics: list[str], since: int | None) -> Signal:
    async with asyncio.timeout(20):
        return await anext(signals.follow(topics, since))


async def test_a_stream_gets_what_it_missed_as_one_signal() -> None:
    signals = Signals()
    for topics in (["fleet"], ["decisions"], ["fleet"]):
        signals.publish(topics)
    assert await first(signals, ["fleet", "decisions"], 1) == Signal(3, ("fleet", "decisions"))
    assert await first(signals, ["fleet", "decisions"], 2) == Signal(3, ("fleet",))


async def test_a_stream_waits_for_its_own_topics() -> None:
    signals = Signals()
    async with asyncio.TaskGroup() as group:
        task = group.create_task(first(signals, ["session:7"], None))
        await asyncio.sleep(0)
        assert signals.streams == 1
        signals.publish(["session:8"])
        await asyncio.sleep(0)
        signals.publish(["session:7"])
    assert task.result() == Signal(2, ("session:7",))


async def test_closing_ends_all_streams() -> None:
    signals = Signals()

    async def follow() -> list[Signal]:
        return [signal async for signal in signals.follow(["fleet"], None)]

    async with asyncio.TaskGroup() as group:
        task = group.create_task(follow())
        await asyncio.sleep(0)
        signals.close()
    assert task.result() == []
    assert signals.streams == 0


async def test_topics_that_were_forgotten_count_as_changed() -> None:
    signals = Signals()
    for number in range(2_001):
        signals.publish([f"session:{number}"])
    assert (await first(signals, ["session:5000"], 0)).topics == ("session:5000",)


async def test_a_number_of_the_future_means_from_now_on() -> None:
    signals = Signals()
    signals.publish(["fleet"])
    async with asyncio.TaskGroup() as group:
        task = group.create_task(first(signals, ["fleet"], 99))
        await asyncio.sleep(0)
        signals.publish(["fleet"])
    assert task.result().number == 2


async def test_a_change_of_any_topic_is_one_of_each() -> None:
    signals = Signals()
    signals.publish(["fleet"])
    signals.publish_all()
    assert (await first(signals, ["events", "fleet"], 1)).topics == ("events", "fleet")
    assert signals.number == 2
