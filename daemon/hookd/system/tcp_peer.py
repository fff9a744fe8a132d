"""The process at the other end of a connection on 127.0.0.1, as Linux shows it in /proc.

A port is open to every user and process of the machine, unlike a Unix socket with its mode. Where
/proc lacks the table of connections, such as on macOS, nothing is known.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from hookd.lazy_dataclass import dataclass

_TABLE = Path("/proc/net/tcp")
_LOOPBACK = "0100007F"
"""127.0.0.1 as the table has it, on machines with the low byte first."""

_CLOSED = "0"
"""Inode of a connection whose process has closed it; the table has no user of it either."""


@dataclass(frozen=True, slots=True)
class Peer:
    """Who has the other end: the user, and the processes that may be it.

    They are those that have it open. If none is seen, such as for sshd, they are those of the
    user that hide what they have open.
    """

    uid: int
    pids: tuple[int, ...]


def readable() -> bool:
    """Return whether the system has a table of connections."""
    return _TABLE.exists()


def peer_of(port: int, peer_port: int) -> Peer | None:
    """Return who connected from `peer_port` to `port` of this machine.

    None if the other end is closed by now, or the system has no table.
    """
    ends = f"{_LOOPBACK}:{peer_port:04X}", f"{_LOOPBACK}:{port:04X}"
    found = next(_rows(*ends), None)
    if found is None:
        return None
    uid, inode = found
    open_by, hidden = _owners(f"socket:[{inode}]")
    if next(_rows(*ends), None) != found:  # closed while its process was looked for
        return None
    return Peer(uid, open_by or tuple(pid for pid in hidden if _user(pid) == uid))


def _rows(local: str, remote: str) -> Iterator[tuple[int, str]]:
    """Yield user and inode of the connections between two addresses that are open."""
    try:
        lines = _TABLE.read_text("ascii", "replace").splitlines()[1:]
    except OSError:
        return
    for line in lines:
        cells = line.split()
        if len(cells) > 9 and (cells[1], cells[2]) == (local, remote) and cells[9] != _CLOSED:
            yield int(cells[7]), cells[9]


def _owners(link: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the processes that have this socket open, and those that hide what they have open."""
    open_by, hidden = [], []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            with os.scandir(folder / "fd") as entries:
                if any(_leads_to(entry.path, link) for entry in entries):
                    open_by.append(int(folder.name))
        except PermissionError:
            hidden.append(int(folder.name))
        except OSError:  # it has ended
            continue
    return tuple(open_by), tuple(hidden)


def _leads_to(path: str, link: str) -> bool:
    try:
        return str(Path(path).readlink()) == link
    except OSError:
        return False


def _user(pid: int) -> int | None:
    """Return the user of a process, None if it has ended. The owner of its folder can differ."""
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text("utf-8", "replace").splitlines():
            if line.startswith("Uid:"):
                return int(line.split()[2])
    return None
