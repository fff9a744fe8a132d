"""One hook as the client starts it: a process, a payload, and their cost."""

import ctypes
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from resource import struct_rusage
from time import perf_counter, sleep

_ADOPTS = 36
"""PR_SET_CHILD_SUBREAPER: what a hook leaves behind at its end becomes our child, not init's."""

_STRAGGLES = 2.0
"""Seconds that what a hook left behind is waited for. What stays longer is meant to stay."""


class HookError(Exception):
    """A hook did not do what it was measured doing."""


@dataclass(frozen=True)
class Cost:
    """Milliseconds from the start to the end, and of processor time in all its processes."""

    wall: float
    cpu: float


@dataclass(frozen=True)
class Process:
    """Something to start. `codes` are those that it may well end with."""

    path: str
    args: tuple[str, ...]
    env: dict[str, str]
    codes: tuple[int, ...] = (0,)

    def run(self, payload: bytes) -> Cost:
        """Start it, write the payload, read its output to the end, wait; return what it cost."""
        began = perf_counter()
        stdin, to_stdin = os.pipe()
        from_stdout, stdout = os.pipe()
        pid = os.posix_spawn(
            self.path,
            [self.path, *self.args],
            self.env,
            file_actions=[
                (os.POSIX_SPAWN_DUP2, stdin, 0),
                (os.POSIX_SPAWN_DUP2, stdout, 1),
                (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
            ],
            setpgroup=0,
            setsigdef=[signal.SIGPIPE],
        )
        os.close(stdin)
        os.close(stdout)
        _feed(to_stdin, payload)
        while os.read(from_stdout, 65536):
            pass
        os.close(from_stdout)
        _, status, usage = os.wait4(pid, 0)
        wall = (perf_counter() - began) * 1000
        if os.waitstatus_to_exitcode(status) not in self.codes:
            raise HookError(
                f"{Path(self.path).name} ended with {os.waitstatus_to_exitcode(status)}"
            )
        return Cost(wall, _spent(usage) + _left_behind(pid))


def _feed(number: int, payload: bytes) -> None:
    view = memoryview(payload)
    try:
        while view:
            view = view[os.write(number, view) :]
    except BrokenPipeError:
        pass  # bash -c : reads nothing
    finally:
        os.close(number)


def _spent(usage: struct_rusage) -> float:
    return (usage.ru_utime + usage.ru_stime) * 1000


def _left_behind(group: int) -> float:
    """Return what the processes of a group cost that outlived their parent."""
    spent, until = 0.0, perf_counter() + _STRAGGLES
    while perf_counter() < until:
        try:
            pid, _, usage = os.wait4(-group, os.WNOHANG)
        except ChildProcessError:
            break
        if pid:
            spent += _spent(usage)
        else:
            sleep(0.0005)
    return spent


@contextmanager
def adopting() -> Iterator[None]:
    """See also the processes that a hook does not wait for itself; only Linux can."""
    if sys.platform != "linux":
        yield
        return
    libc = ctypes.CDLL(None)
    libc.prctl(_ADOPTS, 1, 0, 0, 0)
    try:
        yield
    finally:
        libc.prctl(_ADOPTS, 0, 0, 0, 0)


def processor(pid: int) -> float:
    """Return the milliseconds of processor time that a process has had; 0 off Linux."""
    if sys.platform != "linux":
        return 0
    # The second field is the program's name in parentheses, and may hold anything.
    fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")
