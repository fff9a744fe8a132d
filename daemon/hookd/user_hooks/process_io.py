"""The pipes of a hook's process: what it is given, and as much as is kept of what it prints.

By readiness, not by asyncio's transports: a transport that is given up while it is made may close
a descriptor that is another's by then.
"""

import asyncio
import codecs
import json
import os
from typing import IO

KEPT = 30 * 1_024
"""Bytes that are kept of each stream; what comes after them is read and dropped."""

_MARK = 4_096  # bytes; a first line that is longer is an answer
_MOST = 262_144  # bytes at once

_LONGEST = 600.0
"""Seconds that a background hook may run."""


class Feed:
    """Input of a process. It may close it unread."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._left = memoryview(b"")
        self._pipe: IO[bytes] | None = None

    def open(self, pipe: IO[bytes], payload: bytes) -> None:
        """Write all of it, and no more."""
        self._pipe, self._left = pipe, memoryview(payload)
        os.set_blocking(pipe.fileno(), False)
        self._loop.add_writer(pipe.fileno(), self._write, pipe.fileno())

    def close(self) -> None:
        """Write no more."""
        if self._pipe:
            self._loop.remove_writer(self._pipe.fileno())
            self._pipe.close()
            self._pipe = None

    def _write(self, number: int) -> None:
        try:
            self._left = self._left[os.write(number, self._left[:_MOST]) :]
        except BlockingIOError:
            return
        except OSError:  # it reads no more, which is no fault of it
            self._left = self._left[:0]
        if not self._left:
            self.close()


class Stream:
    """Output of a process on one stream. `detached` is set by its mark, `closed` by its end."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, detached: "asyncio.Future[float] | None" = None
    ) -> None:
        self.closed: asyncio.Future[None] = loop.create_future()
        self.truncated = False
        self._loop, self._detached = loop, detached
        self._kept = bytearray()
        self._pipe: IO[bytes] | None = None

    @property
    def text(self) -> str:
        """The kept text, without a character that was cut."""
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        return decoder.decode(bytes(self._kept), final=not self.truncated)

    def open(self, pipe: IO[bytes]) -> None:
        """Read all of it."""
        self._pipe = pipe
        os.set_blocking(pipe.fileno(), False)
        self._loop.add_reader(pipe.fileno(), self._read, pipe.fileno())

    def close(self) -> None:
        """Read no more."""
        if self._pipe:
            self._loop.remove_reader(self._pipe.fileno())
            self._pipe.close()
            self._pipe = None
        if not self.closed.done():
            self.closed.set_result(None)

    def _read(self, number: int) -> None:
        try:
            data = os.read(number, _MOST)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if data:
            self._take(data)
        else:
            self.close()

    def _take(self, data: bytes) -> None:
        room = KEPT - len(self._kept)
        self._kept += data[:room]
        self.truncated = self.truncated or len(data) > room
        if self._detached is not None and b"}" in data:
            self._look(self._detached)

    def _look(self, detached: "asyncio.Future[float]") -> None:
        """Check whether the first line asks to continue in the background."""
        line, ended, _ = self._kept[:_MARK].partition(b"\n")
        seconds = _mark(bytes(line))
        if seconds is not None and not detached.done():
            detached.set_result(seconds)
        if ended or len(self._kept) > _MARK:
            self._detached = None


def _mark(line: bytes) -> float | None:
    """Return the seconds in `{"async": true, "asyncTimeout": 15000}`, 0 for none, None for more."""
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(said, dict) or said.get("async") is not True:
        return None
    asked = said.get("asyncTimeout")
    if not isinstance(asked, int | float) or isinstance(asked, bool) or asked <= 0:
        return 0.0
    return min(asked / 1_000, _LONGEST)
