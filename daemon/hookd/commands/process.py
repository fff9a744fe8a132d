"""One process of a hook: started, fed, listened to, and ended with all that it has left behind.

Not by asyncio's subprocesses: those of uvloop hand descriptors of the daemon on and give a socket
for stdin, which no script can open as /dev/stdin; and both wait for the end of pipes that a process
may have passed on. So each process has a thread, which starts it and waits for it.
"""

import asyncio
import codecs
import json
import os
import signal
import subprocess
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from typing import IO, Any

from hookd.commands.program import Program

KEPT = 30 * 1_024
"""Bytes that are kept of each stream; what comes after them is read and dropped."""

_GRACE = 1.0  # seconds between asking to end and ending
_QUIET = 0.5  # seconds that streams may stay open behind the end of their process
_LOOK = 0.01  # seconds: nobody is told of the end of a process that is not our child
_MARK = 4_096  # bytes; a first line that is longer is an answer


async def start(prepare: Callable[[], Program]) -> "Process":
    """Start a program; `prepare` may read the disk, since it is called on the process's thread.

    Raise what it raises, and OSError or ValueError where the program cannot be started.
    """
    process = Process(asyncio.get_running_loop())
    Thread(target=process.carry, args=(prepare,), name="hook", daemon=True).start()
    try:
        await process.begun
        await process.listen()
    except BaseException:
        process.abandon()
        raise
    return process


class Process:
    """A process and its group. `exited` is its return code, `detached` how long it asked to go on.

    That is in seconds, 0 where it named no time.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self.begun: asyncio.Future[None] = loop.create_future()
        self.exited: asyncio.Future[int] = loop.create_future()
        self.detached: asyncio.Future[float] = loop.create_future()
        self.stdout, self.stderr = _Stream(loop, self.detached), _Stream(loop)
        self.notes: tuple[str, ...] = ()
        self._abandoned = False
        self._pid: int | None = None
        self._stdin: tuple[asyncio.WriteTransport, _Stdin] | None = None
        self._open: list[asyncio.BaseTransport] = []
        self._raw: list[IO[bytes]] = []  # the loop owns a pipe from when it is handed over

    def carry(self, prepare: Callable[[], Program]) -> None:
        """Start the program and wait for its end, on a thread."""
        try:
            program = prepare()
            popen = _open(program)
        except Exception as fault:  # noqa: BLE001 - whoever waits is told
            self._tell(self.begun, fault)
            return
        self.notes = program.notes
        self._raw = [pipe for pipe in (popen.stdin, popen.stdout, popen.stderr) if pipe]
        self._pid = popen.pid
        if self._abandoned:
            self.abandon()
        self._tell(self.begun, None)
        self._tell(self.exited, popen.wait())

    async def listen(self) -> None:
        """Keep what it prints from now on."""
        await self._read(self.stderr)
        await self._read(self.stdout)

    async def _read(self, stream: "_Stream") -> None:
        pipe, _ = await self._loop.connect_read_pipe(lambda: stream, self._raw.pop())
        self._open.append(pipe)

    async def feed(self, payload: bytes) -> None:
        """Hand it its input, and no more. One that does not want it may close its stdin."""
        self._stdin = await self._loop.connect_write_pipe(_Stdin, self._raw.pop())
        pipe, _ = self._stdin
        pipe.write(payload)
        pipe.close()

    async def over(self) -> None:
        """Wait until nothing more is printed: behind its end, what it left may hold its streams."""
        await asyncio.wait({self.stdout.closed, self.stderr.closed}, timeout=_QUIET)

    async def end(self) -> None:
        """End all that is left of its group: by TERM, and what is there a second later by KILL."""
        try:
            if self._signal(signal.SIGTERM):
                await self._gone()
        finally:
            self.abandon()
        await asyncio.wait({self.exited}, timeout=_QUIET)

    def abandon(self) -> None:
        """End all that is left of its group at once, and listen no more."""
        self._abandoned = True
        self._signal(signal.SIGKILL)
        self.leave()

    def leave(self) -> None:
        """Listen no more; what is left of its group goes on."""
        if self._stdin:
            pipe, protocol = self._stdin
            if not protocol.closed:
                pipe.abort()  # its close waits until all is read
        for listened in self._open:
            listened.close()
        for left in self._raw:
            left.close()

    async def _gone(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(_GRACE):
                while self._signal(0):  # noqa: ASYNC110 - nothing tells of a grandchild's end
                    await asyncio.sleep(_LOOK)

    def _signal(self, number: int) -> bool:
        """Send a signal to the group; return whether it may still be there."""
        if self._pid is None:
            return False
        try:
            os.killpg(self._pid, number)
        except (ProcessLookupError, PermissionError):  # gone, or not ours to end
            return False
        return True

    def _tell(self, future: "asyncio.Future[Any]", result: int | Exception | None) -> None:
        def settle() -> None:
            if future.done():
                return
            if isinstance(result, Exception):
                future.set_exception(result)
            else:
                future.set_result(result)

        with suppress(RuntimeError):  # the loop has ended: nobody waits any more
            self._loop.call_soon_threadsafe(settle)


def _open(program: Program) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        program.argv,
        bufsize=0,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=program.cwd,
        env=program.env,
        start_new_session=True,
    )


class _Stdin(asyncio.BaseProtocol):
    """Takes note when all is written, or will not be."""

    closed = False

    def connection_lost(self, _fault: Exception | None) -> None:
        """Take note."""
        self.closed = True


class _Stream(asyncio.Protocol):
    """What a process prints on one stream, as much as is kept. `detached` is told of its mark."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, detached: "asyncio.Future[float] | None" = None
    ) -> None:
        self.closed: asyncio.Future[None] = loop.create_future()
        self.truncated = False
        self._kept = bytearray()
        self._detached = detached

    @property
    def text(self) -> str:
        """What is kept; a character that was cut is left out."""
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        return decoder.decode(bytes(self._kept), final=not self.truncated)

    def data_received(self, data: bytes) -> None:
        """Keep it, as far as there is room."""
        room = KEPT - len(self._kept)
        self._kept += data[:room]
        self.truncated = self.truncated or len(data) > room
        if self._detached is not None and b"}" in data:
            self._look(self._detached)

    def connection_lost(self, _fault: Exception | None) -> None:
        """Take note that nothing more will be read."""
        if not self.closed.done():
            self.closed.set_result(None)

    def _look(self, detached: "asyncio.Future[float]") -> None:
        """See whether the first line is the mark of one that wants to go on by itself."""
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
    return asked / 1_000 if isinstance(asked, int | float) and 0 < asked < 1e9 else 0.0
