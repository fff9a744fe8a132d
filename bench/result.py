"""Result of a run, for people and programs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from comparison import Comparison
from rows import BEFORE, HEADER, Row, table


@dataclass(frozen=True)
class Result:
    """Measurements of a run, with the machine and the seconds."""

    machine: dict[str, Any]
    seconds: int
    hooks: Sequence[Comparison]
    others: Sequence[Row]

    @property
    def rows(self) -> list[Row]:
        """All that has one number, with the ratios of the whole hook."""
        return [*(row for one in self.hooks for row in one.rows()), *self.others]

    def lines(self) -> list[tuple[str, ...]]:
        """Return the rows as texts, below what the columns are."""
        if any(row.before is not None for row in self.rows):
            return [HEADER + BEFORE, *(row.cells(before=True) for row in self.rows)]
        return [HEADER, *(row.cells() for row in self.rows)]

    def verdict(self) -> str:
        """Return how many aims were met."""
        met = [row.met for row in self.rows if row.met is not None]
        return f"{sum(met)} of {len(met)} aims met, in {self.seconds} s."

    def warning(self) -> str:
        """Return a sentence about a machine that was busy, or nothing."""
        if self.machine["load"] <= self.machine["cores"] / 2:
            return ""
        return "Others kept the cores busy: what takes several processes looks worse than it is."

    def text(self) -> str:
        """Return all of it for a terminal."""
        tables = [f"{one.title}\n\n{table(one.table())}\n" for one in self.hooks]
        facts = ", ".join(f"{name} {value}" for name, value in self.machine.items())
        end = [f"{self.verdict()} Medians; both sides take turns.", facts, self.warning()]
        return "\n".join([*tables, table(self.lines()), "", *filter(None, end)])

    def object(self) -> dict[str, Any]:
        """Return it for JSON."""
        return {
            "machine": self.machine,
            "seconds": self.seconds,
            "hooks": [one.object() for one in self.hooks],
            "rows": [row.object() for row in self.rows],
        }
