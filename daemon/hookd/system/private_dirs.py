"""Private folders: those of the socket and of the database, for the user alone."""

import errno
import os
import stat
from pathlib import Path


def make(folder: Path) -> None:
    """Make a folder and its missing parents for the user alone; narrow its mode if it exists.

    Raise OSError, also if a parent is another user's folder in a shared one, such as /tmp: its
    owner could replace ours.
    """
    for one in reversed((folder, *folder.parents)):
        one.mkdir(mode=0o700, exist_ok=True)
    whole = folder.resolve()
    for one in (whole, *whole.parents):
        if _everybodys(one.parent) and one.stat().st_uid != os.geteuid():
            raise OSError(errno.EPERM, "it is another user's", str(one))
    if stat.S_IMODE(folder.stat().st_mode) != 0o700:  # a disk that is read-only is left alone
        folder.chmod(0o700)


def _everybodys(folder: Path) -> bool:
    mode = folder.stat().st_mode
    return bool(mode & stat.S_ISVTX and mode & stat.S_IWOTH)
