"""The home of `hookd logs`: the daemon's log for people, also while it grows."""

import json
import os
import time
from collections import deque
from collections.abc import Iterator
from io import SEEK_CUR
from pathlib import Path
from typing import Any, BinaryIO

import click

from hookd import paths
from hookd.cli.lib import output
from hookd.cli.lib.errors import Problem

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
    if not path.exists():
        if not follow:
            raise Problem(f"There is no log yet: {path}.", "hookd start")
        click.echo(f"hookd: waiting for {path}", err=True)
    colour = False if paths.variable("NO_COLOR") else None
    for line in _readable(_followed(path, lines) if follow else _last(path, lines)):
        click.echo(output.safe_json(line) if as_json else _shown(line), color=colour)


def _readable(lines: Iterator[bytes]) -> Iterator[str]:
    """Yield lines as text; what cannot be read is a Problem."""
    try:
        for line in lines:
            yield line.decode("utf-8", "replace").rstrip("\n")
    except OSError as error:
        sentence = f"{error.filename or 'The log'} cannot be read: {error.strerror}."
        raise Problem(sentence, "see that it is yours to read") from None


def _shown(line: str) -> str:
    """Return a line of the log as a person reads it; what is no JSON stays as it is."""
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return output.cell(line)
    if not isinstance(entry, dict):
        return output.cell(line)
    at, level, message = (output.text(entry.pop(key, None)) for key in ("at", "level", "message"))
    long = {key: entry.pop(key) for key in list(entry) if "\n" in str(entry[key])}
    short = [f"{output.cell(key)}={_value(value)}" for key, value in entry.items()]
    shown = " ".join([at, click.style(level, fg=_COLOURS.get(level)), message, *short])
    for key, value in long.items():
        text = [
            f"  {output.cell(key)}:",
            *(f"    {output.cell(one)}" for one in str(value).split("\n")),
        ]
        shown = "\n".join([shown, *text])
    return shown


def _value(value: Any) -> str:
    """Return a value, in quotes where it is a text that would not stand alone."""
    if isinstance(value, str) and (not value or any(one in value for one in ' "=')):
        return output.cell(json.dumps(value, ensure_ascii=False))
    return output.cell(value)


def _last(path: Path, count: int) -> Iterator[bytes]:
    with path.open("rb") as file:
        found = deque(file, maxlen=count)
    yield from [*_older(path, count - len(found)), *found]


def _older(path: Path, count: int) -> list[bytes]:
    """Return as many of the last lines from the older parts of the log."""
    lines: list[bytes] = []
    for number in range(1, _KEPT + 1):
        part = path.with_name(f"{path.name}.{number}")
        if len(lines) >= count or not part.exists():
            break
        with part.open("rb") as file:
            lines = [*deque(file, maxlen=count - len(lines)), *lines]
    return lines


def _followed(path: Path, count: int) -> Iterator[bytes]:
    """Yield the last lines, then what is added, here and in the files that take its place."""
    if path.exists():
        with path.open("rb") as file:
            found = deque(file, maxlen=count)
            if found and not found[-1].endswith(b"\n"):
                file.seek(-len(found.pop()), SEEK_CUR)
            yield from [*_older(path, count - len(found)), *found]
            yield from _added(path, file)
    while True:
        while not path.exists():
            time.sleep(_PAUSE)
        with path.open("rb") as file:
            yield from _added(path, file)


def _added(path: Path, file: BinaryIO) -> Iterator[bytes]:
    """Yield the lines that are added, until another file stands in its place."""
    rest = b""
    while True:
        # The look comes first: what was written until then is read below.
        gone = _replaced(path, file)
        while chunk := file.readline():
            rest += chunk
            if rest.endswith(b"\n"):
                yield rest
                rest = b""
        if gone:
            return
        time.sleep(_PAUSE)


def _replaced(path: Path, file: BinaryIO) -> bool:
    try:
        now, mine = path.stat(), os.fstat(file.fileno())
    except FileNotFoundError:
        return False
    return not os.path.samestat(now, mine) or now.st_size < file.tell()
