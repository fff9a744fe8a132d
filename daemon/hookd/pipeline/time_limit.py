"""CPU time limit of policies: interrupts a policy that computes for too long.

A timer's signal is handled on the main thread, between two bytecodes and every few thousand steps
of `re`. So an endless loop and a pattern that backtracks are both interrupted, and the transaction
around them continues. Another thread could not do that, because `re` holds the interpreter's lock.
The daemon therefore decides on its main thread.

Only the CPU time of this thread counts. A loaded machine, a slow disk or a process that was stopped
for a while interrupt nothing. C code that never looks for signals is left to the watchdog.
"""

import signal
import threading
import time
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any, TypeVar

from hookd.core.evaluation.policies import TimeUp

T = TypeVar("T")

_TICK_S = 0.05
"""Time between two checks, by which a limit may be exceeded."""


class TimeLimit:
    """Limits calls on the thread that has called `begin`, while the block is entered.

    On any other thread, and before `begin`, calls are not limited.
    """

    def __init__(self) -> None:
        self._thread = 0
        self._limit = 0.0
        self._since: float | None = None
        self._on = False

    def begin(self) -> None:
        """Handle the timer's signal; to be called on the main thread."""
        self._thread = threading.get_ident()
        signal.signal(signal.SIGALRM, self._tick)

    def __enter__(self) -> None:
        """Start the timer."""
        if threading.get_ident() == self._thread:
            signal.setitimer(signal.ITIMER_REAL, _TICK_S, _TICK_S)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop the timer."""
        if threading.get_ident() == self._thread:
            signal.setitimer(signal.ITIMER_REAL, 0)

    def call(self, seconds: float, work: Callable[..., T], *args: Any) -> T:
        """Return what `work` returns. Raise TimeUp once it has used that much CPU time."""
        if threading.get_ident() != self._thread:
            return work(*args)  # it must not end the limit of the call on the main thread
        self._limit, self._since = seconds, None
        try:
            self._on = True
            return work(*args)
        finally:
            self._on = False

    def _tick(self, _number: int, frame: FrameType | None) -> None:
        if not self._on or threading.get_ident() != self._thread:
            return
        now = time.thread_time()
        if self._since is None:  # the call began less than one tick ago
            self._since = now
        elif now - self._since >= self._limit - _TICK_S:
            self._since = now  # whoever suppresses it is interrupted again
            raise TimeUp(_place(frame))


def _place(frame: FrameType | None) -> str:
    """Return where the code was: the innermost of hookd's own files, and its line."""
    any_frame: Any = frame
    while any_frame is not None:
        name = any_frame.f_code.co_filename
        if "hookd" in name:
            return f"{name.rpartition('hookd/')[2]}:{any_frame.f_lineno}"
        any_frame = any_frame.f_back
    return ""
