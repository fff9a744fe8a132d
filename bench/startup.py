"""Start of the commands and of the daemon, in turns with an older build."""

import subprocess
from collections.abc import Callable
from contextlib import ExitStack
from time import perf_counter

from builds import THIS, Build
from homes import PATIENCE, Home, home
from rows import Aim, Row, percentile

ROUNDS = 12

COMMANDS: tuple[tuple[tuple[str, ...], float | None], ...] = (
    (("--help",), 100),
    (("status",), None),
    (("events", "--limit", "20"), None),
    (("doctor",), None),
)
"""Commands and the most milliseconds that each should take."""

EXPLAIN = ("guard", "explain", "rm -rf ~")

START = 500
"""Milliseconds that the daemon should need until it answers."""


def measure(base: Build | None = None) -> list[Row]:
    """Return the rows of some commands, and of starting the daemon."""
    with ExitStack() as stack:
        places = [stack.enter_context(home(build=one)) for one in (THIS, base) if one]
        rows = [_row(places, command, most) for command, most in COMMANDS]
        rows.append(_start(places))
        for place in places:
            place.hookd("stop", "--yes")
        return [*rows, _row(places, EXPLAIN, 300, "without a daemon")]


def _row(places: list[Home], command: tuple[str, ...], most: float | None, where: str = "") -> Row:
    spent = _in_turns(places, lambda place: timed(place, *command))
    return _told(" ".join(filter(None, ("hookd", *command[:2], where))), spent, most)


def _start(places: list[Home]) -> Row:
    def started(place: Home) -> float:
        place.hookd("stop", "--yes")
        return timed(place, "start")

    return _told("hookd start, until the daemon answers", _in_turns(places, started), START)


def _in_turns(places: list[Home], run: Callable[[Home], float]) -> list[list[float]]:
    spent: list[list[float]] = [[] for _ in places]
    for turn in range(-1, ROUNDS):
        for side, place in enumerate(places):
            took = run(place)
            if turn >= 0:
                spent[side].append(took)
    return spent


def _told(what: str, spent: list[list[float]], most: float | None) -> Row:
    ours, *before = (percentile(values, 50) for values in spent)
    aim = Aim(most, of="value") if most else None
    return Row(what, "ms", ours, aim=aim, before=before[0] if before else None)


def timed(place: Home, *args: str) -> float:
    """Return the milliseconds of one command; its exit code is its own affair."""
    began = perf_counter()
    subprocess.run(
        [place.build.hookd, *args],
        env=place.env,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        check=False,
        timeout=PATIENCE,
    )
    return (perf_counter() - began) * 1000
