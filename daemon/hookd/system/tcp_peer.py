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


@dataclass(frozen=True, slots=True)
class Peer:
    """Who has the other end: the user, and the process, None if it has ended."""

    uid: int
    pid: int | None


def peer_of(port: int, peer_port: int) -> Peer | None:
    """Return who connected from `peer_port` to `port` of this machine; None if it is unknown."""
    local, remote = f"{_LOOPBACK}:{peer_port:04X}", f"{_LOOPBACK}:{port:04X}"
    for uid, inode in _rows(local, remote):
        return Peer(uid, _owner(f"socket:[{inode}]"))
    return None


def _rows(local: str, remote: str) -> Iterator[tuple[int, str]]:
    """Yield user and inode of the connections between two addresses."""
    try:
        lines = _TABLE.read_text("ascii", "replace").splitlines()[1:]
    except OSError:
        return
    for line in lines:
        cells = line.split()
        if len(cells) > 9 and (cells[1], cells[2]) == (local, remote):
            yield int(cells[7]), cells[9]


def _owner(link: str) -> int | None:
    """Return a process that has this socket open; those of other users cannot be read."""
    for folder in Path("/proc").glob("[0-9]*/fd"):
        with suppress(OSError), os.scandir(folder) as entries:
            for entry in entries:
                with suppress(OSError):
                    if str(Path(entry.path).readlink()) == link:
                        return int(folder.parent.name)
    return None
