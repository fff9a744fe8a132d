"""Liveness of processes, safe against reused process ids."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

_SLACK = timedelta(seconds=5)
"""How much later than it was first heard of a process may seem to have begun: clocks are coarse."""


def lives(pid: int, since: datetime) -> bool:
    """Return whether the process that had this id at `since` is alive.

    An id is reused: a process that began later is another one, and so is one of another
    user. Where the system does not tell when a process began, its number has to do.
    """
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, PermissionError, OverflowError):
        return False
    found = _stat(pid)
    if found is None:
        return True
    state, began = found
    return state != "Z" and began <= since + _SLACK


def noted(path: Path) -> int:
    """Return the process id in a file; 0 if there is none."""
    try:
        text = path.read_text("ascii").split()[:1]
    except (OSError, ValueError):
        return 0
    return int(text[0]) if text and text[0].isdigit() and len(text[0]) < 10 else 0


def _stat(pid: int) -> tuple[str, datetime] | None:
    """Return a process's state and when it began, as Linux tells it."""
    try:
        # The name in parentheses may hold anything, so the fields are counted from behind it.
        fields = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
        lines = Path("/proc/stat").read_text("ascii").splitlines()
        booted = next(int(line.split()[1]) for line in lines if line.startswith("btime "))
        ticks = int(fields[19]) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError, StopIteration):
        return None
    return fields[0], datetime.fromtimestamp(booted, UTC) + timedelta(seconds=ticks)
