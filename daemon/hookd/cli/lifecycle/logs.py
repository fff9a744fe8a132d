"""`hookd daemon logs`: print the daemon's log, and follow it; `hookd logs` is a former name."""

import json
import os
import time
from collections import deque
from collections.abc import Callable, Iterator
from io import SEEK_CUR
from pathlib import Path
from typing import Any, BinaryIO

import click

from hookd import paths
from hookd.cli.lib import output
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.options import follow_option, json_option, limit_option
from hookd.display.text import safe_json

_MAX_PARTS = 3
"""Older parts of the log that may exist."""

_POLL_INTERVAL_S = 0.2
_COLOURS = {"warning": "yellow", "error": "red", "critical": "red", "debug": "bright_black"}


def _options(command: Callable[..., None]) -> Callable[..., None]:
    for option in (
        json_option("Print the lines as JSON."),
        limit_option(least=0, former="--lines"),
        follow_option("Follow the log until Ctrl-C."),
    ):
        command = option(command)
    return command


@click.command(
    name="logs",
    epilog="""\b
    Examples:
      hookd daemon logs
      hookd daemon logs -n 200 | grep warning
      hookd daemon logs -f
      hookd daemon logs --json | jq 'select(.level == "error")'
    """,
)
@_options
def daemon_logs(follow: bool, limit: int, as_json: bool) -> None:
    """Show the last lines of the daemon's log."""
    _show_log(follow, limit, as_json)


@click.command(hidden=True, epilog="\b\nExamples:\n  hookd daemon logs -n 20")
@_options
def logs(follow: bool, limit: int, as_json: bool) -> None:
    """Show the daemon's log (former name of hookd daemon logs)."""
    click.echo("hookd: hookd logs is deprecated; use hookd daemon logs", err=True)
    _show_log(follow, limit, as_json)


def _show_log(follow: bool, limit: int, as_json: bool) -> None:
    """Print the last lines of the log; with `follow`, also those that are added until Ctrl-C."""
    path = paths.paths().log
    if not path.exists():
        if not follow:
            raise Problem(f"There is no log yet: {path}.", "hookd start")
        click.echo(f"hookd: waiting for {path}", err=True)
    colour = False if paths.variable("NO_COLOR") else None
    for line in _readable(_followed(path, limit) if follow else _last(path, limit)):
        click.echo(safe_json(line) if as_json else _shown(line), color=colour)


def _readable(lines: Iterator[bytes]) -> Iterator[str]:
    """Yield lines as text. Raise Problem if the log cannot be read."""
    try:
        for line in lines:
            yield line.decode("utf-8", "replace").rstrip("\n")
    except OSError as error:
        sentence = f"{error.filename or 'The log'} cannot be read: {error.strerror}."
        raise Problem(sentence, f"ls -l {error.filename or paths.paths().log}") from None


def _shown(line: str) -> str:
    """Return a line of the log as text for people; a line that is not JSON is unchanged."""
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
            *(f"    {output.cell(line)}" for line in str(value).split("\n")),
        ]
        shown = "\n".join([shown, *text])
    return shown


def _value(value: Any) -> str:
    """Return a value, in quotes if it is empty or has spaces, quotes or equals signs."""
    if isinstance(value, str) and (not value or any(sign in value for sign in ' "=')):
        return output.cell(json.dumps(value, ensure_ascii=False))
    return output.cell(value)


def _last(path: Path, count: int) -> Iterator[bytes]:
    with path.open("rb") as file:
        lines = deque(file, maxlen=count)
    yield from [*_older(path, count - len(lines)), *lines]


def _older(path: Path, count: int) -> list[bytes]:
    """Return at most `count` of the last lines of the older parts of the log."""
    lines: list[bytes] = []
    for number in range(1, _MAX_PARTS + 1):
        part = path.with_name(f"{path.name}.{number}")
        if len(lines) >= count or not part.exists():
            break
        with part.open("rb") as file:
            lines = [*deque(file, maxlen=count - len(lines)), *lines]
    return lines


def _followed(path: Path, count: int) -> Iterator[bytes]:
    """Yield the last lines, then those added to this file and to the files that replace it."""
    if path.exists():
        with path.open("rb") as file:
            lines = deque(file, maxlen=count)
            if lines and not lines[-1].endswith(b"\n"):
                file.seek(-len(lines.pop()), SEEK_CUR)
            yield from [*_older(path, count - len(lines)), *lines]
            yield from _added(path, file)
    while True:
        while not path.exists():
            time.sleep(_POLL_INTERVAL_S)
        with path.open("rb") as file:
            yield from _added(path, file)


def _added(path: Path, file: BinaryIO) -> Iterator[bytes]:
    """Yield the lines that are added, until another file replaces it."""
    rest = b""
    while True:
        # Checked before reading: lines written until then are read below.
        replaced = _replaced(path, file)
        while chunk := file.readline():
            rest += chunk
            if rest.endswith(b"\n"):
                yield rest
                rest = b""
        if replaced:
            return
        time.sleep(_POLL_INTERVAL_S)


def _replaced(path: Path, file: BinaryIO) -> bool:
    try:
        now, mine = path.stat(), os.fstat(file.fileno())
    except FileNotFoundError:
        return False
    return not os.path.samestat(now, mine) or now.st_size < file.tell()
