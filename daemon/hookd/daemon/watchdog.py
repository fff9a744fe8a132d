"""Watchdog: ends a daemon that hangs, so that the next hook starts another.

A pattern that backtracks for minutes holds the interpreter's lock: no other thread runs, and no
event is answered. So the timer runs outside of Python, in faulthandler's thread. The loop resets it
after the writer's thread has answered as well; when it expires, all stacks are written to a file,
and the process ends. Everything that was answered is committed.

A process that was stopped and continues may be ended too: its successor has lost nothing.
"""

import asyncio
import faulthandler
import os
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

from hookd.log.logger import LOG

HANG_TIMEOUT_S = 30
"""Time without a reset after which the process ends."""

_RESET_INTERVAL_S = 5.0
_MAX_LOGGED_CHARS = 20_000
"""Length up to which the stacks are logged."""


class Watchdog:
    """Ends this process if it is not reset in time; `path` is for the stacks."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: int | None = None

    def __enter__(self) -> "Watchdog":
        """Log the stacks of a daemon that was ended, and open the file."""
        with suppress(OSError):  # without a file the stacks are lost
            self._log_stacks()
            flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_TRUNC | os.O_CLOEXEC
            self._file = os.open(self._path, flags, 0o600)
        return self

    def reset(self) -> None:
        """Start the timer again."""
        file = 2 if self._file is None else self._file
        faulthandler.dump_traceback_later(HANG_TIMEOUT_S, exit=True, file=file)

    async def run(self, alive: Callable[[], Awaitable[object]]) -> None:
        """Reset it each time that the loop runs and `alive` has answered, until cancelled."""
        while True:
            await alive()
            self.reset()
            await asyncio.sleep(_RESET_INTERVAL_S)

    def __exit__(self, *_fault: object) -> None:
        """Stop the timer, and remove the file."""
        faulthandler.cancel_dump_traceback_later()
        if self._file is not None:
            os.close(self._file)
            self._path.unlink(missing_ok=True)

    def _log_stacks(self) -> None:
        try:
            stacks = self._path.read_text("utf-8", "replace")
        except FileNotFoundError:
            return
        if stacks.strip():
            about = {"seconds": HANG_TIMEOUT_S, "stacks": stacks[:_MAX_LOGGED_CHARS]}
            LOG.error("the last daemon hung and was ended", extra={"about": about})
