"""Reads of pages: on threads, few at a time, each with a slot."""

import asyncio
from threading import Event

import pytest

from hookd.web import reads
from hookd.web.reads import AT_ONCE, BusyError, Reads


async def test_a_read_returns_or_raises() -> None:
    made = Reads()
    assert await made.run(lambda a, b: a + b, 1, 2) == 3
    with pytest.raises(ZeroDivisionError):
        await made.run(lambda: 1 // 0)
    made.close()


async def test_more_reads_wait_and_give_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reads, "_PATIENCE_S", 0.01)
    made, go = Reads(), Event()
    async with asyncio.TaskGroup() as group:
        running = [group.create_task(made.run(go.wait, 20)) for _ in range(AT_ONCE)]
        await asyncio.sleep(0)
        with pytest.raises(BusyError):
            await made.run(go.is_set)
        go.set()
    assert [task.result() for task in running] == [True] * AT_ONCE
    assert await made.run(go.is_set)
    made.close()


async def test_a_read_that_was_given_up_keeps_its_slot_until_it_ends() -> None:
    made, go = Reads(), Event()
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(made.run(go.wait, 20)) for _ in range(AT_ONCE)]
        await asyncio.sleep(0)
        for task in tasks:
            task.cancel()
        await asyncio.sleep(0)
        waits = group.create_task(made.run(go.is_set))
        await asyncio.sleep(0)
        assert not waits.done()
        go.set()
    assert waits.result()
    made.close()
