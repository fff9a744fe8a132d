"""Slots: lock files that limit how many processes of a user do the same work at once.

Hundreds may wait, so nothing is imported here that takes its time.
"""

import fcntl
import os
import stat
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

_POLL = 0.03
"""Seconds between two tries to lock a slot."""


class NoSlotError(Exception):
    """All slots are taken, and the time is up."""


def names(socket: str) -> tuple[str, str]:
    """Return the lock files that limit how many events are judged without the daemon at once."""
    stem = socket.removesuffix(".sock")
    return f"{stem}.judge1", f"{stem}.judge2"


@contextmanager
def slot(files: Sequence[str], seconds: float) -> Iterator[None]:
    """Hold one of the lock files; wait for it at most `seconds`. Raise NoSlotError.

    A file that cannot be opened, or is not the user's own, is no limit: then the work is done
    without a lock, since it must not depend on a file that another user put there.
    """
    numbers = [_opened(path) for path in files]
    held = [number for number in numbers if number is not None]
    try:
        if len(held) == len(numbers):
            _lock(held, seconds)
        yield
    finally:
        for number in held:
            os.close(number)


def _opened(path: str) -> int | None:
    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
    try:
        number = os.open(path, flags, 0o600)
    except OSError:
        return None
    found = os.fstat(number)
    if stat.S_ISREG(found.st_mode) and found.st_uid == os.geteuid():
        return number
    os.close(number)
    return None


def _lock(numbers: list[int], seconds: float) -> None:
    end = time.monotonic() + seconds
    while not any(map(_locked, numbers)):
        if time.monotonic() >= end:
            raise NoSlotError
        time.sleep(_POLL)


def _locked(number: int) -> bool:
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
