"""The name of a person who used a process: the login name, and the terminal."""

import os
import pwd
from contextlib import suppress
from pathlib import Path

_PTS = range(136, 144)
"""Major numbers of Linux for /dev/pts."""

_TTY = 4
"""Major number of Linux for consoles."""


def person_name(pid: int | None, via: str = "") -> str:
    """Return who used a process, such as `anna, pts/3`; `via` replaces the terminal.

    The user is this process's own: no other may connect, except the administrator.
    """
    place = via or (terminal_of(pid) if pid else "")
    return f"{_login()}, {place}" if place else _login()


def terminal_of(pid: int) -> str:
    """Return the controlling terminal of a process, such as `pts/3`; "" if it is unknown."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
        number = int(stat.rpartition(")")[2].split()[4])
    except (OSError, ValueError, IndexError):  # it has ended, or there is no /proc
        return ""
    major, minor = os.major(number), os.minor(number)
    if major in _PTS:
        return f"pts/{(major - _PTS.start) * 256 + minor}"
    return f"tty{minor}" if major == _TTY else ""


def own_terminal() -> str:
    """Return the terminal of this process, such as `pts/3`; "" without one."""
    with suppress(OSError):
        return os.ttyname(0).removeprefix("/dev/")
    return ""


def _login() -> str:
    with suppress(KeyError):
        return pwd.getpwuid(os.geteuid()).pw_name
    return f"user {os.geteuid()}"
