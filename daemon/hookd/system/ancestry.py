"""Process ancestry: read the processes above a given one, and find the client among them.

Linux reads /proc. macOS asks libproc and sysctl. Elsewhere, and where /proc is missing, nothing can
be read (`readable`). Standard library only: the command line uses this without the daemon.
"""

import os
import sys
from collections.abc import Collection, Iterator
from contextlib import suppress

from hookd.core.model.client_process import Process, client_name, firing, marked
from hookd.core.model.origin import Origin, terminal_id
from hookd.lazy_dataclass import dataclass

_DEEPEST = 256
"""Limit of ancestors that are read. A caller with more of them is not taken for a person."""

_ARGUMENTS = 4096
"""Bytes of a command line that are read."""

_ENVIRONMENT = 1 << 20

_SHIM_DEPTH = 5
"""Processes above a hook's transport among which its client is."""

_MACOS = sys.platform == "darwin"


@dataclass(frozen=True, slots=True)
class Caller:
    """Whether a person asks: `client` is the client above the caller, "" if there is none.

    `pid` is that client's process. `fault` says why the ancestry could not be read, else "".
    """

    client: str = ""
    pid: int = 0
    fault: str = ""

    @property
    def why(self) -> str:
        """Why the caller is not taken for a person, as a clause; "" if it is."""
        if self.client:
            at = f" (process {self.pid})" if self.pid else ""
            return f"this was asked from inside {self.client}{at}"
        return self.fault


def caller_of(pid: int | None, fired: Collection[tuple[int, int]] = ()) -> Caller:
    """Return who is behind a process: a client in its ancestry, or a person.

    `fired` are the keys of processes that are known to have fired hooks. Where no process can be
    read at all, everybody passes for a person.
    """
    if not readable():
        return Caller()
    first = read(pid) if pid else None
    if first is None:
        return Caller(fault="the process that asks cannot be identified")
    seen: dict[int, Process] = {}
    for process in _related(first, seen):
        if name := client_name(process):
            return Caller(name, process.pid)
        if process.key in fired:
            return Caller("a program that fires hooks", process.pid)
    if len(seen) >= _DEEPEST:
        return Caller(fault="the process that asks has too many ancestors")
    return Caller(marked(environment(first.pid)))


def origin_of(pid: int, fired: Collection[tuple[int, int]] = ()) -> Origin:
    """Return the terminal and the client process that a process belongs to.

    The terminal is the client's where there is one: clients run commands in kernel sessions of
    their own. `fired` are the keys of processes that are known to have fired hooks.
    """
    chain = tuple(lineage(pid))
    client = firing(chain[:_SHIM_DEPTH])
    known = (one for one in chain if client_name(one) or one.key in fired)
    client = client or next(known, None)
    own = client or (chain[0] if chain else None)
    leader = read(own.session) if own and own.session else None
    return Origin(terminal_id(own, leader, chain), client.id if client else "")


def lineage(pid: int, most: int = _DEEPEST) -> Iterator[Process]:
    """Yield a process and those above it, `most` at most."""
    found = read(pid)
    while found is not None and most > 0:
        yield found
        most -= 1
        above = read(found.parent) if found.parent > 0 else None
        if above is None and (again := read(found.pid)) and again.parent != found.parent:
            above = read(again.parent)  # its parent has just ended
        found = above


def readable() -> bool:
    """Return whether processes can be read on this system."""
    return read(os.getpid()) is not None


def read(pid: int) -> Process | None:
    """Return a process, None if it cannot be read."""
    if _MACOS:
        from hookd.system import ancestry_macos  # noqa: PLC0415 - ctypes is slow to import

        return ancestry_macos.read(pid)
    return _read_linux(pid)


def parent_of(pid: int) -> int:
    """Return the id of a process's parent, 0 if it cannot be read; cheaper than `read`."""
    if _MACOS:
        found = read(pid)
        return found.parent if found else 0
    try:
        stat = _contents(f"/proc/{pid}/stat", _ARGUMENTS)
    except OSError:
        return 0
    return int(stat.rpartition(b")")[2].split(maxsplit=2)[1])


def environment(pid: int) -> bytes:
    """Return the environment a process started with, NUL between entries; b"" if unknown."""
    if _MACOS:
        from hookd.system import ancestry_macos  # noqa: PLC0415

        return ancestry_macos.environment(pid)
    return _environment_linux(pid)


def _related(first: Process, seen: dict[int, Process]) -> Iterator[Process]:
    """Yield a process, all above it, and the leaders of their sessions and groups with all above.

    A process whose parent has ended belongs to init, but often still to its old session.
    """
    waiting = [first.pid]
    while waiting and len(seen) < _DEEPEST:
        for process in lineage(waiting.pop(), _DEEPEST - len(seen)):
            if process.pid in seen:
                break
            seen[process.pid] = process
            yield process
            for leader in {process.session, process.group} - seen.keys() - {0, 1}:
                led = read(leader)
                if (
                    led is not None and led.start <= process.start
                ):  # else its id is another's by now
                    waiting.append(leader)


def _read_linux(pid: int) -> Process | None:
    try:
        stat = _contents(f"/proc/{pid}/stat", _ARGUMENTS)
        given = _contents(f"/proc/{pid}/cmdline", _ARGUMENTS)
    except OSError:
        return None
    program = ""
    with suppress(OSError):  # another user's
        program = os.readlink(f"/proc/{pid}/exe")  # noqa: PTH115 - a Path costs more than the call
    head, _, tail = stat.decode("utf-8", "replace").rpartition(")")
    fields = tail.split(maxsplit=20)
    return Process(
        pid,
        parent=int(fields[1]),
        start=int(fields[19]),
        program=program,
        name=head.partition("(")[2],
        args=_words(given),
        session=int(fields[3]),
        group=int(fields[2]),
    )


def _contents(path: str, most: int) -> bytes:
    """Return what the beginning of a file holds: each event waits for a few of them."""
    number = os.open(path, os.O_RDONLY)
    try:
        return os.read(number, most)
    finally:
        os.close(number)


def _environment_linux(pid: int) -> bytes:
    try:
        return _contents(f"/proc/{pid}/environ", _ENVIRONMENT)
    except OSError:
        return b""


def _words(given: bytes) -> tuple[str, ...]:
    words = given.rstrip(b"\0").split(b"\0") if given else []
    return tuple(word.decode("utf-8", "replace") for word in words)
