"""Idle cost of the daemon: CPU time and memory."""

import sys
from pathlib import Path
from time import sleep

from homes import Home, home
from process import processor
from rows import Aim, Row

SECONDS = 5


def measure(loaded: Home) -> list[Row]:
    """Return the rows of a daemon after load, and of a daemon just started; none off Linux."""
    if sys.platform != "linux":
        return []
    with home() as fresh:
        sleep(1)
        places = {"after the load": loaded, "just started": fresh}
        before = {label: processor(place.pid) for label, place in places.items()}
        sleep(SECONDS)
        rows = []
        for label, place in places.items():
            spent = processor(place.pid) - before[label]
            what = f"idle CPU in {SECONDS} s, {label}"
            rows.append(Row(what, "ms", spent, aim=Aim(0, of="value")))
            memory = kilobytes(place.pid) / 1024
            rows.append(Row(f"idle memory, {label}", "MB", memory, aim=Aim(60, of="value")))
        return rows


def kilobytes(pid: int) -> int:
    """Return how much memory a process holds."""
    for line in Path(f"/proc/{pid}/status").read_text("ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    raise ValueError("the process has no memory")
