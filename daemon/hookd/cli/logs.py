"""The home of `hookd logs`: the daemon's log for people, also while it grows."""

import json
import re
import sys
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import click

from hookd import paths
from hookd.cli import table
from hookd.cli.problem import Problem

_KEPT = 3
"""How many older parts of the log there may be."""

_PAUSE = 0.2
_COLOURS = {"warning": "yellow", "error": "red", "critical": "red", "debug": "bright_black"}


@click.command(
    epilog="""\b
    Examples:
      hookd logs
      hookd logs -n 200 | grep warning
      hookd logs -f
      hookd logs --json | jq 'select(.level == "error")'
    """
)
@click.option("-f", "--follow", is_flag=True, help="Go on with what is added, until Ctrl-C.")
@click.option("-n", "--lines", type=click.IntRange(min=0), default=50, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print the lines as they are: JSON.")
def logs(follow: bool, lines: int, as_json: bool) -> None:
    """Print the last lines of the daemon's log."""
    path = paths.paths().log
    try:
        for line in _followed(path, lines) if follow else _last(path, lines):
            _print(line, as_json)
    except OSError as error:
        if error.filename is None:
            raise  # of what is printed to, not of the log
        raise Problem(f"{path} cannot be read: {error.strerror}.", "hookd status") from None


def _last(path: Path, count: int) -> Iterator[bytes]:
    if not path.exists():
        raise Problem(f"There is no log yet: {path}.", "hookd start")
    with path.open("rb") as file:
        yield from _older(path, count, deque(file, maxlen=count))


def _older(path: Path, count: int, found: deque[bytes]) -> list[bytes]:
    """Return `found`, with lines of the log's older parts before it where there are too few."""
    lines = list(found)
    for number in range(1, _KEPT + 1):
        part = path.with_name(f"{path.name}.{number}")
        if len(lines) >= count or not part.exists():
            break
        with part.open("rb") as file:
            lines = [*deque(file, maxlen=count - len(lines)), *lines]
    return lines


def _followed(path: Path, count: int) -> Iterator[bytes]:
    """Yield the last lines, then what is added; where the log was rotated, its successor's."""
    wanted: int | None = count
    while True:
        if not path.exists():
            time.sleep(_PAUSE)
            wanted = None
            continue
        with path.open("rb") as file:
            if wanted is not None:
                ...
