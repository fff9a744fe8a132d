"""One process of a hook: started, fed, listened to, and ended with all that it has left behind.

Not by asyncio's subprocesses: those of uvloop hand descriptors of the daemon on and give a socket
for stdin, which no script can open as /dev/stdin; and both wait for the end of pipes that a process
may have passed on. So each process has a thread, which starts it and waits for it.
"""

import asyncio
import os
import signal
import subprocess
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from typing import Any

from hookd.user_hooks.process_io import Feed, Stream
from hookd.user_hooks.program import Program
from hookd.user_hooks.reaper import Reaper

_GRACE = 1.0  # seconds between asking to end and ending
_STREAM_TIMEOUT_S = 0.5  # seconds that streams may stay open behind the end of their process
_POLL_INTERVAL_S = 0.01  # seconds: no signal reports the end of a process that is not our child


async def start(
    prepare: Callable[[], Program], payload: bytes, reaper: Reaper | None = None
) -> "Process":
    """Start a program, hand it its input, and listen to it; `reaper` ends it with the daemon.

    `prepare` may read the disk, since it is called on the process's thread. Raise what it raises,
    and OSError or ValueError where the program cannot be started.
    """
    process = Process(asyncio.get_running_loop(), reaper)
    Thread(target=process.carry, args=(prepare,), name="hook", daemon=True).start()
    try:
        await process.begun
    except BaseException:
        process.abandon()
        raise
    process.talk(payload)
    return process


class Process:
    """A process and its group. `exited` is its return code.

    `detached` is how many seconds it asked to continue for, 0 if it named no time.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, reaper: Reaper | None = None) -> None:
        self._loop = loop
        self._reaper = reaper
        self.begun: asyncio.Future[None] = loop.create_future()
        self.exited: asyncio.Future[int] = loop.create_future()
        self.detached: asyncio.Future[float] = loop.create_future()
        self.stdout, self.stderr = Stream(loop, self.detached), Stream(loop)
        self.notes: tuple[str, ...] = ()
        self._stdin = Feed(loop)
        self._abandoned = False
        self._popen: subprocess.Popen[bytes] | None = None

    def carry(self, prepare: Callable[[], Program]) -> None:
        """Start the program and wait for its end, on a thread."""
        try:
            program = prepare()
            popen = self._popen = _open(program)
            if self._reaper is not None:
                self._reaper.add(popen.pid)
        except Exception as fault:  # noqa: BLE001 - the caller gets it
            self._tell(self.begun, fault)
            return
        self.notes = program.notes
        self._tell(self.begun, None)
        if self._abandoned:
            self._signal(signal.SIGKILL)
        self._tell(self.exited, popen.wait())
        if self._abandoned:
            _shut(popen)
            self._forget()

    def talk(self, payload: bytes) -> None:
        """Hand it its input, and keep what it prints from now on."""
        if self._popen and self._popen.stdin and self._popen.stdout and self._popen.stderr:
            self.stdout.open(self._popen.stdout)
            self.stderr.open(self._popen.stderr)
            self._stdin.open(self._popen.stdin, payload)

    async def over(self) -> None:
        """Wait until nothing more is printed: behind its end, what it left may hold its streams."""
        await asyncio.wait({self.stdout.closed, self.stderr.closed}, timeout=_STREAM_TIMEOUT_S)

    async def end(self) -> None:
        """End all that is left of its group: by TERM, and what is there a second later by KILL."""
        try:
            if self._signal(signal.SIGTERM):
                await self._gone()
        finally:
            self._signal(signal.SIGKILL)
            self.leave()
        await asyncio.wait({self.exited}, timeout=_STREAM_TIMEOUT_S)

    def abandon(self) -> None:
        """End it at once, or when it has started; it has no input yet."""
        self._abandoned = True
        self._signal(signal.SIGKILL)
        if self._popen and self._popen.returncode is not None:
            _shut(self._popen)  # its thread may have looked before

    def leave(self) -> None:
        """Stop reading; the rest of its group continues."""
        for pipe in (self._stdin, self.stdout, self.stderr):
            pipe.close()
        self._forget()

    def _forget(self) -> None:
        """Let what is left of its group outlive the daemon."""
        if self._reaper is not None and self._popen is not None:
            self._reaper.discard(self._popen.pid)

    async def _gone(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(_GRACE):
                while self._signal(0):  # noqa: ASYNC110 - nothing reports a grandchild's end
                    await asyncio.sleep(_POLL_INTERVAL_S)

    def _signal(self, number: int) -> bool:
        """Send a signal to the group; return whether it may still be there."""
        if self._popen is None:
            return False
        try:
            os.killpg(self._popen.pid, number)
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

        with suppress(RuntimeError):  # the loop has ended
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


def _shut(popen: subprocess.Popen[bytes]) -> None:
    for pipe in (popen.stdin, popen.stdout, popen.stderr):
        if pipe:
            pipe.close()
