"""Write exported data into a file that only the user can read."""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

from hookd.cli.lib.errors import Problem


@contextmanager
def private_file(name: str, *, force: bool) -> Iterator[TextIO]:
    """Open a new text file with mode 0600; with `force` an existing one is overwritten.

    An overwritten file keeps its mode, and its content if the block fails before it writes. A new
    file is removed if the block fails. Raise Problem if it exists, is a link, or cannot be written.
    """
    path, replace = Path(name).expanduser(), 0 if force else os.O_EXCL
    flags = os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | replace
    try:
        existed = path.exists()
        descriptor = os.open(path, flags, 0o600)
    except FileExistsError:
        raise Problem(f"{name} already exists.", "give another name, or add --force") from None
    except (OSError, ValueError) as error:
        raise _unwritable(name, error) from None
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="backslashreplace") as file:
            yield file
            file.flush()
            if stat.S_ISREG(os.fstat(descriptor).st_mode):  # a device has no length
                file.truncate()
    except BaseException as error:
        if not existed:
            with suppress(OSError):
                path.unlink()
        if isinstance(error, OSError):
            raise _unwritable(name, error) from None
        raise


def _unwritable(name: str, error: OSError | ValueError) -> Problem:
    why = getattr(error, "strerror", None) or str(error)
    if getattr(error, "errno", None) == errno.ELOOP:
        why = "it is a link"
    return Problem(f"{name} cannot be written: {why}.", "name another file")
