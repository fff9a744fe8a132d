"""The file with a line for each event that had no verdict, or none of the daemon's.

It is renamed before it is read: shims continue in a new file. This module handles bytes and paths;
core/evaluation parses the lines. A killed shim may also leave a file with its payload: `clear`.
"""

import os
import stat
from contextlib import suppress
from pathlib import Path

from hookd.lazy_pattern import lazy_compile

MOST = 1_000_000
"""Bytes of a file that are read. Shims end theirs far below that; what is longer is not theirs."""

_PAYLOAD = lazy_compile(r"(\d{1,9})\.\d+\.payload")
"""How the file for a payload ends, behind the socket's name: the shim's process id is in it."""


def waits(path: Path) -> bool:
    """Whether shims have left something there; a look that every event can afford."""
    try:
        found = os.lstat(path)
    except OSError:
        return False
    # A shim leaves no pipe, no link and no file of another user.
    return stat.S_ISREG(found.st_mode) and found.st_uid == os.geteuid()


def take(path: Path) -> list[Path]:
    """Put the file aside, and return all that are, the oldest first. Raise OSError."""
    if waits(path):
        found = path.lstat()
        # A name of its own: what was read from it once is known by that.
        path.rename(path.with_name(f"{path.name}.{found.st_mtime_ns}-{found.st_ino}"))
    return sorted(one for one in path.parent.glob(f"{path.name}.*") if waits(one))


def read(taken: Path, offset: int) -> bytes:
    """Return the file's bytes from there on, but none from `MOST` on."""
    with taken.open("rb") as file:
        file.seek(offset)
        return file.read(max(MOST - offset, 0))


def leave(path: Path, line: str, most: int) -> None:
    """Append a line, unless the file has `most` bytes already or is not the user's own file.

    Raise OSError.
    """
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
    number = os.open(path, flags, 0o600)
    try:
        found = os.fstat(number)
        own = stat.S_ISREG(found.st_mode) and found.st_uid == os.geteuid()
        if own and found.st_size < most:
            os.write(number, line.encode("ascii", "replace"))
    finally:
        os.close(number)


def drop(taken: Path) -> None:
    """Remove a file that was read to its end."""
    with suppress(FileNotFoundError):
        taken.unlink()


def clear(path: Path) -> None:
    """Remove the files for payloads beside `path` whose shims are gone. Raise OSError."""
    stem = f"{path.stem}."
    for one in path.parent.glob("*.payload"):
        found = _PAYLOAD.fullmatch(one.name.removeprefix(stem))
        if found and one.name.startswith(stem) and waits(one) and not _runs(int(found[1])):
            one.unlink(missing_ok=True)


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, PermissionError):  # another user's process is no shim
        return False
    return True
