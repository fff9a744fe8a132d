"""Orders of a run to its writers: one file, which outlives each process that is killed."""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any


@dataclass
class Orders:
    """Whether hosts write, and the seconds that the clocks of some are off."""

    writing: bool = True
    shifts: dict[str, float] = field(default_factory=dict)

    def publish(self, folder: Path) -> None:
        """Replace the file in one step."""
        draft = folder / ".orders.json"
        draft.write_text(json.dumps(asdict(self)))
        draft.replace(folder / "orders.json")


def orders(folder: Path) -> Orders:
    """Return the orders of now."""
    return Orders(**json.loads((folder / "orders.json").read_text()))


@dataclass(frozen=True)
class WriterConfig:
    """One host without a daemon: its name, its folder and what it sends."""

    name: str
    folder: str
    mode: str


@dataclass(frozen=True)
class Work:
    """What one process of writers does: its hosts, the rate of each, and the pace of shippers."""

    hosts: tuple[WriterConfig, ...]
    rate: float
    burst_s: float
    beat_s: float
    answer_s: float
    sessions: int

    def store(self, file: Path) -> None:
        """Write it."""
        file.write_text(json.dumps(asdict(self)))


def work(file: Path) -> Work:
    """Read it."""
    found: dict[str, Any] = json.loads(file.read_text())
    hosts = tuple(WriterConfig(**one) for one in found.pop("hosts"))
    return Work(hosts, **found)
