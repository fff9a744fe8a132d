"""Rows of the result with their aims, tables, and facts of the machine."""

import os
import platform
import shutil
import subprocess
from dataclasses import dataclass
from sqlite3 import sqlite_version
from statistics import quantiles
from typing import Any, Literal


@dataclass(frozen=True)
class Aim:
    """A limit: of the ratio to the other side, or of the value itself."""

    limit: float
    word: Literal["<=", ">="] = "<="
    of: Literal["ratio", "value"] = "ratio"


@dataclass(frozen=True)
class Row:
    """One thing measured: ours, the other side's if there is one, in the same unit.

    `before` is what an older build had in the same run.
    """

    what: str
    unit: str
    ours: float
    theirs: float | None = None
    aim: Aim | None = None
    before: float | None = None

    @property
    def ratio(self) -> float | None:
        """Ours to theirs."""
        return self.ours / self.theirs if self.theirs else None

    @property
    def met(self) -> bool | None:
        """Whether the aim is reached; None without one."""
        value = self.ratio if self.aim and self.aim.of == "ratio" else self.ours
        if self.aim is None or value is None:
            return None
        return value <= self.aim.limit if self.aim.word == "<=" else value >= self.aim.limit

    def cells(self, *, before: bool = False) -> tuple[str, ...]:
        """Return the row as texts, with two columns for an older build on demand."""
        theirs = "" if self.theirs is None else f"{number(self.theirs)} {self.unit}"
        ratio = "" if self.ratio is None else f"{self.ratio:.2f}x"
        met = {True: "yes", False: "NO", None: ""}[self.met]
        cells = self.what, f"{number(self.ours)} {self.unit}", theirs, ratio, self._aim(), met
        return cells + self._before() if before else cells

    def _before(self) -> tuple[str, str]:
        if self.before is None:
            return "", ""
        change = f"{self.ours / self.before:.2f}x" if self.before else ""
        return f"{number(self.before)} {self.unit}", change

    def _aim(self) -> str:
        if self.aim is None:
            return ""
        unit = "x" if self.aim.of == "ratio" else f" {self.unit}"
        return f"{self.aim.word} {number(self.aim.limit)}{unit}"

    def object(self) -> dict[str, Any]:
        """Return the row for JSON."""
        found = {"what": self.what, "unit": self.unit, "ours": self.ours, "theirs": self.theirs}
        found |= {"ratio": self.ratio, "aim": self._aim() or None, "met": self.met}
        return found | {"before": self.before}


def number(value: float) -> str:
    """Return a number with as many digits as mean something."""
    if value == 0 or value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.3g}"


def percentile(values: list[float], share: int) -> float:
    """Return the value below which `share` percent of `values` lie."""
    return quantiles(values, n=100, method="inclusive")[share - 1]


HEADER = ("what", "ours", "theirs", "ratio", "aim", "met")
BEFORE = ("before", "ours / before")


def table(lines: list[tuple[str, ...]]) -> str:
    """Return lines, the first of which names the columns, as one table for people."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    ruled = [lines[0], tuple("-" * width for width in widths), *lines[1:]]
    return "\n".join(_line(line, widths) for line in ruled)


def _line(cells: tuple[str, ...], widths: list[int]) -> str:
    first = cells[0].ljust(widths[0])
    rest = (cell.rjust(width) for cell, width in zip(cells[1:], widths[1:], strict=True))
    return "  ".join((first, *rest)).rstrip()


def _said(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def machine() -> dict[str, Any]:
    """Return what the numbers depend on."""
    return {
        "system": platform.system(),
        "architecture": platform.machine(),
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 2),
        "python": platform.python_version(),
        "sqlite": sqlite_version,
        "bash": _said("bash", "-c", "echo $BASH_VERSION"),
    } | ({"node": _said("node", "--version").removeprefix("v")} if shutil.which("node") else {})
