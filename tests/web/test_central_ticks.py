"""Signals of the central board: only while a page is open."""

import asyncio

import pytest

from hookd.web.central_ticks import CentralTicks
from hookd.web.context import DaemonError
from hookd.web.signals import Signals


async def test_a_page_that_is_open_gets_signals() -> None:
    signals = Signals()
    ticks = CentralTicks(signals, interval_s=0.01)
    async with asyncio.TaskGroup() as group:
        task = group.create_task(ticks.run())
        async for signal in signals.follow(["fleet"], None):
            assert signal.topics == ("fleet",)
            break
        task.cancel()


async def test_nothing_is_called() -> None:
    with pytest.raises(DaemonError, match="read-only"):
        await CentralTicks(Signals()).call("daemon.stop", {})
