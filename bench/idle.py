"""The home of what the daemon costs while nobody asks it anything: CPU time and memory."""

from os import sysconf
from pathlib import Path
from time import sleep

from homes import Home, home
from rows import Aim, Row

SECONDS = 5


def measure(loaded: Home) -> list[Row]:
    """Return the rows of a daemon after load, and of one that has just started; none off Linux."""
    if not Path("/proc/self/stat").exists():
        return []
    with home() as fresh:
        sleep(1)
        places = {"after the load": loaded, "just started": fresh}
        before = {label: _ticks(place.pid) for label, place in places.items()}
        sleep(SECONDS)
        rows = []
        for label, place in places.items():
            spent = (_ticks(place.pid) - before[label]) * 1000 / sysconf("SC_CLK_TCK")
            what = f"idle CPU in {SECONDS} s, {label}"
            rows.append(Row(what, "ms", spent, aim=Aim(0, of="value")))
            memory = _kilobytes(place.pid) / 1024
            rows.append(Row(f"idle memory, {label}", "MB", memory, aim=Aim(60, of="value")))
        return rows


def _ticks(pid: int) -> int:
    # The second field is the program's name in parentheses, and may hold anything.
    fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def _kilobytes(pid: int) -> int:
    for line in Path(f"/proc/{pid}/status").read_text("ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    raise ValueError("the process has no memory")
