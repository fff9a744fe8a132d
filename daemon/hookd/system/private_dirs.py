"""The home of folders that are the user's alone: of the socket, of the database."""

import errno
import os
import stat
from pathlib import Path


def make(folder: Path) -> None:
    """Make a folder, or what is missing of the way to it, for the user alone; narrow it if it is.

    Raise OSError, also where the way leads through a folder of another user's in one that is
    everybody's, such as /tmp: its owner could put something else in the place of ours.
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
