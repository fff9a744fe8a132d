"""How long the server waits for a client that reads its answer slowly, or not at all."""

import asyncio
from typing import Any, cast

import pytest

from hookd.rpc import server


class Slow:
    """A connection whose client reads `step` bytes of what is sent, and then nothing for long."""

    def __init__(self, left: int, step: int) -> None:
        self.left, self.step, self.transport = left, step, self

    def get_write_buffer_size(self) -> int:
        return self.left

    async def drain(self) -> None:
        self.left -= self.step
        if self.left:
            await asyncio.get_running_loop().create_future()


async def test_a_client_that_reads_slowly_gets_its_whole_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(server, "_IDLE_READ_TIMEOUT_S", 0)
    slow = Slow(5, 1)
    await server._read(cast("Any", slow))
    assert slow.left == 0


async def test_a_client_that_reads_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "_IDLE_READ_TIMEOUT_S", 0)
    with pytest.raises(TimeoutError):
        await server._read(cast("Any", Slow(5, 0)))
