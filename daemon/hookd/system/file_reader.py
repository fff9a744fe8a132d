"""Reader of files beside the event loop: a hung disk delays no verdict."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from queue import SimpleQueue
from threading import Lock, Thread

from hookd.core.model.fact_requests import (
    DirListing,
    ExistingPaths,
    FactRequest,
    FileRequest,
    GitBranch,
    RealPathsOf,
)
from hookd.log.logger import LOG
from hookd.system.file_lookup import Found, look

_GLANCE_S = 0.05
"""Time that a decision waits for a look at what may not be needed."""


class FileReader:
    """Reads files in threads: a disk that does not answer delays no verdict.

    Each look has a thread to itself, which ends with the process even if it never comes back. What
    is not seen within `patience` seconds counts as not there. While `most` looks are out, another
    one waits for its turn, unless all of them are late: then the disk does not answer, and what it
    wants counts as not there at once.
    """

    def __init__(self, patience: float = 1.0, most: int = 16) -> None:
        self._patience = patience
        self._most = most
        self._out = 0
        self._late = 0
        self._queue: deque[asyncio.Future[None]] = deque()

    async def read(self, wanted: Iterable[FactRequest]) -> dict[FactRequest, Found | None]:
        """Return what is there, as `look` does."""
        files = tuple(want for want in wanted if isinstance(want, FileRequest))
        unseen: dict[FactRequest, Found | None] = dict.fromkeys(files)
        end = asyncio.get_running_loop().time() + self._patience
        if not await self._admitted(end):
            LOG.warning("files are not looked at: the disk does not answer")
            return unseen
        seen = self._look(files, end)
        try:
            return await seen or unseen
        finally:
            if seen.cancelled():
                self._late += 1

    async def glance(self, wanted: Iterable[FactRequest]) -> dict[FactRequest, Found | None]:
        """Return what is there as `read` does, or nothing if that takes longer than a moment.

        For what may not be needed: while any look is late, or half of the places are taken, nothing
        is looked at. The look itself has as much time as any: a slow disk is none that hangs.
        """
        files = tuple(want for want in wanted if isinstance(want, FileRequest))
        if not files or self._late or self._out >= self._most // 2:
            return {}
        self._out += 1
        seen = self._look(files, asyncio.get_running_loop().time() + self._patience)
        await asyncio.wait({seen}, timeout=_GLANCE_S)
        return (seen.result() or {}) if seen.done() else {}

    async def _admitted(self, end: float) -> bool:
        """Take a place among the looks, waiting for one until `end`; return whether there is one.

        A place that is given to a waiting reader stays counted.
        """
        if self._late >= self._most:
            return False
        if self._out < self._most:
            self._out += 1
            return True
        loop = asyncio.get_running_loop()
        turn: asyncio.Future[None] = loop.create_future()
        self._queue.append(turn)
        try:
            async with asyncio.timeout_at(end):
                await turn
        except TimeoutError:
            return False
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._leave()
            raise
        return True

    def _leave(self) -> None:
        """Give a place to the next waiting reader, if any."""
        while self._queue:
            turn = self._queue.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        self._out -= 1

    def _look(
        self, files: tuple[FileRequest, ...], end: float
    ) -> "asyncio.Future[dict[FactRequest, Found | None] | None]":
        """Let a thread look, and return a future of what it sees by `end`; None: late, or failed.

        The place of the look must be taken; it is given back when the thread has looked.
        """
        loop = asyncio.get_running_loop()
        future: asyncio.Future[dict[FactRequest, Found | None] | None] = loop.create_future()

        def come_back(found: dict[FactRequest, Found | None] | None) -> None:
            timer.cancel()
            if future.done():
                self._late -= 1
            else:
                future.set_result(found)
            self._leave()

        def deliver(found: dict[FactRequest, Found | None] | None) -> None:
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(come_back, found)

        def expire() -> None:
            if not future.done():
                self._late += 1
                LOG.warning("files were not seen in time", extra={"about": {"first": _name(files)}})
                future.set_result(None)

        timer = loop.call_at(end, expire)
        try:
            _THREADS.run(files, deliver)
        except RuntimeError as error:  # the system has no room for another thread
            LOG.warning("files are not looked at: %s", error)
            come_back(None)
        if end <= loop.time():
            expire()
        return future


_Deliver = Callable[[dict[FactRequest, Found | None] | None], None]


class _Threads:
    """Threads that look at files; they end with the process, even if a disk hangs.

    Starting a thread costs more than most looks, so a thread waits for the next look.
    """

    def __init__(self) -> None:
        self._work: SimpleQueue[tuple[tuple[FileRequest, ...], _Deliver]] = SimpleQueue()
        self._lock = Lock()
        self._idle = 0

    def run(self, files: tuple[FileRequest, ...], deliver: _Deliver) -> None:
        """Let a thread look at files, and deliver what it saw; None if that failed."""
        with self._lock:
            starts = self._idle == 0
            self._idle -= not starts
        if starts:
            Thread(target=self._serve, name="hookd-sight", daemon=True).start()
        self._work.put((files, deliver))

    def _serve(self) -> None:
        while True:
            files, deliver = self._work.get()
            found = None
            try:
                found = look(files)
            except Exception:  # noqa: BLE001 - the place of this look must be given back
                LOG.exception("a look at files failed")
            with self._lock:
                self._idle += 1
            deliver(found)
            del files, found, deliver  # the thread may be idle for long


_THREADS = _Threads()


def _name(files: tuple[FileRequest, ...]) -> str:
    first = files[0]
    if isinstance(first, RealPathsOf):
        return first.paths[0]
    return first.folder if isinstance(first, DirListing | ExistingPaths | GitBranch) else first.path
