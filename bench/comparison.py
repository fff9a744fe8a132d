"""Comparison of sides that run in turns: the cost of each run, and their ratios."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from process import Cost, Process
from rows import Aim, Row, number, percentile

FLOOR = "bash -c :"
"""What is run beside everything: a bash that does nothing."""

WARMING = 2
"""Rounds that are not counted."""

HEADER = (
    "what runs", "wall, median", "wall, p90", "CPU, median", "CPU, p90",
    f"wall / {FLOOR}", f"CPU / {FLOOR}",
)  # fmt: skip


@dataclass(frozen=True)
class Comparison:
    """Sides that took turns on one kind of payload, and the aims of some against others."""

    title: str
    costs: dict[str, list[Cost]]
    aims: tuple[tuple[str, str, Aim | None], ...]

    def table(self) -> list[tuple[str, ...]]:
        """Return one line a side, below what its columns are."""
        return [HEADER, *(self._line(name) for name in self.costs)]

    def rows(self) -> list[Row]:
        """Return the ratios that matter, of wall time and of processor time."""
        return [row for ours, theirs, aim in self.aims for row in self._ratios(ours, theirs, aim)]

    def object(self) -> dict[str, Any]:
        """Return it for JSON, in milliseconds."""
        sides = {
            name: {
                "wall": {"p50": self._wall(name), "p90": self._wall(name, 90)},
                "cpu": {"p50": self._cpu(name), "p90": self._cpu(name, 90)},
                "runs": len(costs),
            }
            for name, costs in self.costs.items()
        }
        return {"what": self.title, "sides": sides}

    def _line(self, name: str) -> tuple[str, ...]:
        times = (self._wall(name), self._wall(name, 90), self._cpu(name), self._cpu(name, 90))
        ratios = self._wall(name) / self._wall(FLOOR), self._cpu(name) / self._cpu(FLOOR)
        return name, *(f"{number(one)} ms" for one in times), *(f"{one:.2f}x" for one in ratios)

    def _ratios(self, ours: str, theirs: str, aim: Aim | None) -> list[Row]:
        what = f"whole hook, {self.title}: {ours} / {theirs}"
        return [
            Row(f"{what}, wall", "ms", self._wall(ours), self._wall(theirs), aim),
            Row(f"{what}, CPU", "ms", self._cpu(ours), self._cpu(theirs)),
        ]

    def _wall(self, name: str, share: int = 50) -> float:
        return percentile([cost.wall for cost in self.costs[name]], share)

    def _cpu(self, name: str, share: int = 50) -> float:
        return percentile([cost.cpu for cost in self.costs[name]], share)


def in_turns(
    sides: dict[str, tuple[Process, Callable[[], bytes]]], rounds: int
) -> dict[str, list[Cost]]:
    """Return what each run cost; every round runs each side once, beginning at another."""
    names = list(sides)
    spent: dict[str, list[Cost]] = {name: [] for name in names}
    for turn in range(-WARMING, rounds):
        first = turn % len(names)
        for name in names[first:] + names[:first]:
            process, payload = sides[name]
            cost = process.run(payload())
            if turn >= 0:
                spent[name].append(cost)
    return spent
