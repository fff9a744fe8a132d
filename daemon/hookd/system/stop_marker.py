"""Stop marker: the file that `hookd stop` writes and that the shims honour.

It counts only as a regular file of the user's own whose first line is `hookd-stopped`; the second
line is the time of the stop. Anything else in its place is not a stop: a folder, a link or an empty
file there must not switch the guards off.
"""

import os
import stat
from datetime import UTC, datetime
from pathlib import Path

from hookd.lazy_dataclass import dataclass

MARK = "hookd-stopped"
"""The first line. The shims compare the same text."""

_MOST = 256
"""Bytes that are read: the two lines are shorter."""


@dataclass(frozen=True)
class Stop:
    """A stop by `hookd stop`; `at` is None if the file does not name a valid time."""

    at: datetime | None


def read(path: Path) -> Stop | None:
    """Return the stop that the marker at `path` records, None if there is no valid marker."""
    try:
        # O_NONBLOCK: a pipe in its place must not block the caller.
        number = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None
    try:
        found = os.fstat(number)
        if not stat.S_ISREG(found.st_mode) or found.st_uid != os.geteuid():
            return None
        mark, _, rest = os.read(number, _MOST).partition(b"\n")
    except OSError:
        return None
    finally:
        os.close(number)
    return Stop(_time(rest.partition(b"\n")[0])) if mark == MARK.encode() else None


def foreign(path: Path) -> bool:
    """Return whether something other than a valid marker is at `path`."""
    return os.path.lexists(path) and read(path) is None


def write(path: Path) -> None:
    """Write a marker at `path`, 0600; what else was there is removed as `clear` does.

    The time is the file's own. Raise OSError.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if foreign(path):
        clear(path)
    import tempfile  # noqa: PLC0415 - slow, and of no use to who only reads it

    number, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(number, "w", encoding="ascii") as file:
            now = datetime.fromtimestamp(os.fstat(number).st_mtime, UTC)
            at = now.isoformat(timespec="milliseconds").replace("+00:00", "Z")
            file.write(f"{MARK}\n{at}\n")
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink()
        raise


def clear(path: Path) -> Path | None:
    """Remove whatever is at `path`; a folder that is not empty is renamed.

    Return the new name of such a folder, else None. Raise OSError.
    """
    try:
        path.unlink(missing_ok=True)
    except (IsADirectoryError, PermissionError):  # macOS: EPERM for a folder
        if not path.is_dir() or path.is_symlink():
            raise
        return _clear_folder(path)
    return None


def _clear_folder(path: Path) -> Path | None:
    try:
        path.rmdir()
    except OSError:
        names = (path.with_name(f"{path.name}.aside-{number}") for number in range(1, 10_000))
        free = next(name for name in names if not os.path.lexists(name))
        return path.rename(free)
    return None


def _time(line: bytes) -> datetime | None:
    try:
        at = datetime.fromisoformat(line.decode("ascii").strip())
    except ValueError:
        return None
    return at if at.tzinfo else at.replace(tzinfo=UTC)
