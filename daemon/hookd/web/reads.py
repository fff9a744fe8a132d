"""Reads of the database file for pages: on threads of their own, few at a time.

Each query of `store/browse/` has a time limit of its own; this bounds how many run, and how long a
page waits for its turn.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

T = TypeVar("T")

AT_ONCE = 4
"""Reads that run at the same time."""

_PATIENCE_S = 5.0
"""Seconds that a page waits until its read begins."""


class BusyError(Exception):
    """Too many pages are read at the moment."""


class Reads:
    """Runs reads on threads. A browser that leaves does not end its read; the time limit does."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="read")
        self._slots = asyncio.Semaphore(AT_ONCE)

    async def run(self, read: Callable[..., T], *args: Any) -> T:
        """Return what `read` returns. Raise BusyError if its turn does not come in time."""
        try:
            async with asyncio.timeout(_PATIENCE_S):
                await self._slots.acquire()
        except TimeoutError:
            raise BusyError from None
        loop = asyncio.get_running_loop()
        future = loop.run_in_executor(self._threads, partial(read, *args))
        # The slot is free when the thread is, also if the page was given up meanwhile.
        future.add_done_callback(lambda _: self._slots.release())
        return await asyncio.shield(future)

    def close(self) -> None:
        """Accept no more reads, and do not wait for those that run."""
        self._threads.shutdown(wait=False, cancel_futures=True)
