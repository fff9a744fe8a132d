"""The home of what ends a daemon that hangs, so that the next hook starts another.

A pattern that backtracks for minutes holds the interpreter's lock: no other thread runs then, and
nobody is answered. So the clock that runs down stands outside of Python, in faulthandler's thread.
It is wound up again and again by the loop, once the writer's thread has answered as well; where it
runs down, all stacks are written into a file, and the process ends. What was answered is committed.

A process that was stopped and goes on may be ended, too: its successor has lost nothing.
"""

import asyncio
import faulthandler
import os
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

from hookd.log.logger import LOG

PATIENCE = 30
"""Seconds without a sign of life after which the daemon is ended."""

_EVERY = 5.0
_LONGEST = 20_000
"""Characters of the stacks that the log is told."""


class Watchdog:
    """Ends this process where nobody winds it up for long; `path` is for its last words."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: int | None = None

    def begin(self) -> None:
        """Tell the log of a daemon that was ended here, and be ready for the first winding."""
        with suppress(OSError):  # no file can be made: then it is ended without a word
            self._tell()
            flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_TRUNC | os.O_CLOEXEC
            self._file = os.open(self._path, flags, 0o600)

    def reset(self) -> None:
        """Give it another `PATIENCE` seconds."""
        file = 2 if self._file is None else self._file
        faulthandler.dump_traceback_later(PATIENCE, exit=True, file=file)

    async def run(self, alive: Callable[[], Awaitable[object]]) -> None:
        """Wind it up each time that the loop runs and `alive` has answered, until cancelled."""
        while True:
            await alive()
            self.reset()
            await asyncio.sleep(_EVERY)

    def close(self) -> None:
        """Watch no more."""
        faulthandler.cancel_dump_traceback_later()
        if self._file is not None:
            os.close(self._file)
            self._path.unlink(missing_ok=True)

    def _tell(self) -> None:
        try:
            stacks = self._path.read_text("utf-8", "replace")
        except FileNotFoundError:
            return
        if stacks.strip():
            about = {"seconds": PATIENCE, "stacks": stacks[:_LONGEST]}
            LOG.error("the last daemon hung and was ended", extra={"about": about})
