"""Output to a terminal: no control character or mark of direction that hookd did not write itself.

Texts of a conversation can hold bytes that rewrite the screen or hide what follows. Commands that
print tables and facts escape them; this is for all others, and for what a command forgot.
"""

import os
import re
import select
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from typing import TextIO

CLEAR = "\x1b[H\x1b[2J"
"""Clears the screen; the cursor is in the top left corner then."""

_ENTER, _LEAVE = b"\x1b[?1049h\x1b[?25l", b"\x1b[?25h\x1b[?1049l"
"""Change to the alternate screen and hide the cursor, and back."""

_CAUGHT = frozenset({signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGWINCH})

_STRAY = re.compile(
    r"\x1b(?!\[[0-9;]*m)"  # colours are hookd's own
    "|[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]"
)


def safe(text: str) -> str:
    """Return `text` with stray control characters as escapes, as Python writes them."""
    return text if text == CLEAR else _STRAY.sub(lambda found: ascii(found[0])[1:-1], text)


def protect() -> None:
    """Print only safe text on terminals; escape characters that they cannot show."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
            if stream.isatty():
                _filter(stream)


@contextmanager
def full_screen(redraw: Callable[[], None]) -> Iterator[None]:
    """Use the alternate screen of stdout; what was on the terminal is there again afterwards.

    It is left after an error, Ctrl-C and SIGTERM, too. `redraw` is called when the terminal gets
    another size, on another thread.
    """
    number, ended = sys.stdout.fileno(), threading.Event()

    def serve() -> None:
        while not ended.is_set():
            caught = signal.sigwait(_CAUGHT)
            if caught != signal.SIGWINCH:
                os.write(number, _LEAVE)
                os._exit(128 + caught)
            if not ended.is_set():
                redraw()

    # On a thread that only waits for them: Python handles a signal in a call that blocks only if it
    # comes during the call.
    thread = threading.Thread(target=serve, daemon=True)
    winch = signal.signal(signal.SIGWINCH, lambda _caught, _frame: None)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _CAUGHT)
    os.write(number, _ENTER)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        signal.pthread_kill(thread.ident or 0, signal.SIGWINCH)
        thread.join()
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        signal.signal(signal.SIGWINCH, winch)
        sys.stdout.flush()
        os.write(number, _LEAVE)


def unfiltered(stream: TextIO) -> TextIO:
    """Return another stream to the same file, for sequences of hookd's own that move the cursor.

    The text must be safe already; it is sent at once.
    """
    return open(stream.fileno(), "w", 1, "utf-8", "backslashreplace", closefd=False)


def end_at_interrupt() -> None:
    """Let Ctrl-C end this process at once; what was printed must be flushed.

    For a command that waits for notifications: Python handles a signal in a call that blocks only
    if it comes during the call.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def end_when_closed() -> None:
    """End this process once its terminal is closed, also if it gets no SIGHUP for that.

    A process that leads no session gets none, and a full-screen library would then wait for a
    write that never ends.
    """
    poll = select.poll()
    poll.register(sys.stdin.fileno(), 0)  # POLLHUP and POLLERR are always reported

    def wait() -> None:
        poll.poll()
        os._exit(128 + signal.SIGHUP)

    threading.Thread(target=wait, daemon=True).start()


@contextmanager
def unprotected() -> Iterator[None]:
    """Write to terminals as it is for a block that moves the cursor, and escapes texts itself."""
    streams = [stream for stream in (sys.stdout, sys.stderr) if "write" in vars(stream)]
    kept = [vars(stream).pop("write") for stream in streams]
    try:
        yield
    finally:
        for stream, write in zip(streams, kept, strict=True):
            vars(stream)["write"] = write


def _filter(stream: TextIOWrapper) -> None:
    write = stream.write
    # The stream stays the same object: click and rich have it already.
    stream.write = lambda text: write(safe(text))  # type: ignore[method-assign]
