"""The guards: what they stop of labelled commands, and their time by length."""

import gc
from collections.abc import Callable
from itertools import cycle, islice
from pathlib import Path
from statistics import quantiles
from time import perf_counter

import corpus
from commands import commit_message, here_document, many_commands, pipeline
from corpus import answer
from rows import Aim, Row

ROUNDS = 60
LENGTHS = (10, 100, 1_000, 10_000, 60_000)
KINDS = (
    ("300 new characters", pipeline, 50.0),
    ("10,000 characters, a here-document", here_document, 3.0),
    ("10,000 characters, a commit message", commit_message, 3.0),
    ("200 different commands", many_commands, 20.0),
)
"""Names, makers of the texts, and the most milliseconds in 99 of 100 runs."""

WORDS = "cd src && grep -rn 'TODO' . | sort -u > /tmp/todo.txt; npm test -- -w; git diff; "


def measure(folder: Path | None = None) -> list[Row]:
    """Return what the guards stop of labelled commands, and the time of long ones.

    `folder` holds more labelled commands, which are counted class by class.
    """
    lengths = [(f"{length:,} characters", _words(length), 50.0) for length in LENGTHS]
    times = (row for kind in [*lengths, *KINDS] for row in _timed(*kind))
    return [*corpus.measure(folder), *times]


def _words(length: int) -> Callable[[int], str]:
    # Each another text: what was judged just now is remembered.
    return lambda number: "".join(islice(cycle(WORDS), length - 3)) + f" {number:02}"


def _timed(kind: str, command: Callable[[int], str], most: float) -> list[Row]:
    took = []
    gc.collect()
    gc.freeze()  # as the daemon does once it serves
    for number in range(ROUNDS):
        text = command(number)
        began = perf_counter()
        answer(text)
        took.append(1_000 * (perf_counter() - began))
    p50, p99 = quantiles(took, n=100)[49], quantiles(took, n=100)[98]
    what = f"both guards on {kind}"
    return [Row(f"{what}, p50", "ms", p50), Row(f"{what}, p99", "ms", p99, aim=_at_most(most))]


def _at_most(percent: float) -> Aim:
    return Aim(percent, of="value")
