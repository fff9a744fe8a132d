"""What the soak sees of its daemons: a sample a second, and what holds of each one's life."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from support.home import Home

ENOUGH = 20
"""Samples that a life needs to be judged: a shorter one has hardly warmed up."""

SHARE, SPARE = 1.10, 3.0
"""Memory is flat where the median of a life's last quarter is at most so many times that of its
second, and so many MB. What SQLite and the allocator keep ready still grows a little by then."""

DESCRIPTORS, THREADS = 4, 3
"""How many more there may be in the last quarter than in the second."""


@dataclass(frozen=True)
class Sample:
    """One look at a daemon: MB of memory, open descriptors, threads, MB of the database and WAL."""

    memory: float
    descriptors: int
    threads: int
    database: float
    wal: float


@dataclass
class Life:
    """The samples of one daemon, from its first second to its last."""

    pid: int
    samples: list[Sample] = field(default_factory=list)

    def quarter(self, number: int, field_name: str) -> float:
        """Return the median of a field in a quarter of the life, the first being 1."""
        size = max(1, len(self.samples) // 4)
        start = min(size * (number - 1), len(self.samples) - 1)
        part = self.samples[start : start + size]
        return float(median(getattr(one, field_name) for one in part))

    @property
    def judged(self) -> bool:
        """Whether it was long enough to be judged."""
        return len(self.samples) >= ENOUGH

    def grown(self) -> list[str]:
        """Return what was not flat."""
        memory, later = self.quarter(2, "memory"), self.quarter(4, "memory")
        found = []
        if later > memory * SHARE + SPARE:
            found.append(f"memory of {self.pid} grew from {memory:.1f} to {later:.1f} MB")
        for name, room in (("descriptors", DESCRIPTORS), ("threads", THREADS)):
            before, after = self.quarter(2, name), self.quarter(4, name)
            if after > before + room:
                found.append(f"{name} of {self.pid} grew from {before:.0f} to {after:.0f}")
        return found


def look(home: Home) -> tuple[int, Sample] | None:
    """Look at the daemon that serves now; None where there is none at this moment."""
    try:
        pid = home.pid
        status = Path(f"/proc/{pid}/status").read_text("ascii").splitlines()
        facts = dict(line.split(":", 1) for line in status if ":" in line)
        found = Sample(
            int(facts["VmRSS"].split()[0]) / 1024,
            len(list(Path(f"/proc/{pid}/fd").iterdir())),
            int(facts["Threads"]),
            _megabytes(home.database),
            _megabytes(home.database.with_name("hookd.db-wal")),
        )
    except (OSError, ValueError, KeyError):
        return None
    return pid, found


def _megabytes(path: Path) -> float:
    try:
        return path.stat().st_size / 1e6
    except FileNotFoundError:
        return 0.0


def errors(home: Home) -> list[str]:
    """Return what the log says of faults, in all its parts; settings broken on purpose are none."""
    found = []
    for path in sorted(home.path.glob("hookd.log*")):
        for line in path.read_text("utf-8").split("\n")[:-1]:
            told = json.loads(line)
            if told["level"] in ("error", "critical") and not _meant(told):
                found.append(line[:300])
    return found


def _meant(told: dict[str, str]) -> bool:
    """Whether a line reports settings that were broken on purpose."""
    of_hooks = told["message"] == "a file of hooks cannot be read"
    broken = of_hooks and told["path"].endswith("settings.json") and "no JSON" in told["why"]
    return broken or told["message"].startswith("the settings ")


def table(lives: list[Life]) -> str:
    """Return a table for people: each field in the second and the last quarter of each life."""
    head = ("daemon", "samples", "memory MB", "descriptors", "threads", "database MB", "WAL MB")
    rows = [head]
    for life in lives:
        names = ("memory", "descriptors", "threads", "database", "wal")
        cells = [f"{life.quarter(2, one):.4g} -> {life.quarter(4, one):.4g}" for one in names]
        label = f"{life.pid}" if life.judged else f"{life.pid} (too short)"
        rows.append((label, str(len(life.samples)), *cells))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        for row in rows
    ]
    return "\n".join(line.rstrip() for line in lines)
