"""The board under load: 200 sessions and 100 events a second, on a terminal of 120 by 40.

`.venv/bin/python bench/board.py` measures alone. The daemon is real and the terminal is a pty: the
time runs from an event's answer, which follows its commit, to its text on the terminal.
"""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from time import perf_counter

from homes import Home, Link, call, home, session
from process import processor
from rows import Aim, Row, percentile

SESSIONS, RATE, CALM_RATE, SECONDS = 200, 100, 10, 20
COLUMNS, LINES = 120, 40
MARKS_PER_S = 4
"""Events a second that are looked for on the terminal."""

WARM_UP_S, PATIENCE_S = 3.0, 30.0
CORE = Aim(20, of="value")


class BoardError(Exception):
    """The board did not show what it was sent."""


@dataclass
class Screen:
    """A board on a pty. `seen` has the time at which each mark was first read."""

    pid: int
    number: int
    seen: dict[str, float] = field(default_factory=dict)
    written: int = 0
    _rest: bytes = b""

    def read(self, seconds: float) -> None:
        """Read what the board writes, for at most so long."""
        end = perf_counter() + seconds
        while (left := end - perf_counter()) > 0:
            if not select.select([self.number], [], [], left)[0]:
                return
            part = os.read(self.number, 1 << 16)
            now = perf_counter()
            self.written += len(part)
            text = self._rest + part
            for found in re.findall(rb"mark\d+x", text):
                self.seen.setdefault(found.decode(), now)
            self._rest = text[-16:]


def measure(place: Home) -> list[Row]:
    """Return the rows of a board under load; none off Linux. Raise BoardError."""
    if sys.platform != "linux":
        return []
    with closing(Link(place.socket)) as link, board(place) as screen:
        for number in range(1, SESSIONS + 1):
            link.ask(_event(number, f"start {number}"))
        _until(screen, link, "mark0x")
        _send(screen, link, RATE, WARM_UP_S)
        cpu = processor(screen.pid)
        busy = _send(screen, link, RATE, SECONDS)
        spent = processor(screen.pid) - cpu
        calm = _send(screen, link, CALM_RATE, SECONDS / 2)
    what = f"board, {SESSIONS} sessions"
    aim = Aim(100, of="value")
    return [
        Row(f"{what}, {RATE} events/s: share of a core", "%", spent / SECONDS / 10, aim=CORE),
        Row(f"{what}, {RATE} events/s: event to screen, p50", "ms", percentile(busy, 50), aim=aim),
        Row(f"{what}, {CALM_RATE} events/s: event to screen, p50", "ms", percentile(calm, 50),
            aim=aim),
        Row(f"{what}, {CALM_RATE} events/s: event to screen, p95", "ms", percentile(calm, 95)),
    ]  # fmt: skip


def _send(screen: Screen, link: Link, rate: int, seconds: float) -> list[float]:
    """Send events at a rate; return the milliseconds until marked ones were on the screen.

    On a busy machine some scroll by between two frames; at least half must be seen.
    """
    began, sent = perf_counter(), dict[str, float]()
    for number in range(int(seconds * rate)):
        identity = next(_ids)
        marked = number % max(rate // MARKS_PER_S, 1) == 0
        text = f"mark{identity}x" if marked else f"pytest tests/test_{identity}.py -q"
        link.ask(_event(number % SESSIONS + 1, text))
        if marked:
            sent[text] = perf_counter()
        screen.read(began + number / rate - perf_counter())
    screen.read(1.0)
    late = [(screen.seen[mark] - at) * 1000 for mark, at in sent.items() if mark in screen.seen]
    if len(late) < len(sent) / 2:
        raise BoardError(f"only {len(late)} of {len(sent)} marked events came on the screen")
    return late


def _until(screen: Screen, link: Link, mark: str) -> None:
    """Wait until the board shows an event."""
    link.ask(_event(1, mark))
    end = perf_counter() + PATIENCE_S
    while mark not in screen.seen:
        if perf_counter() > end:
            raise BoardError("the board shows no events")
        screen.read(0.1)


_ids = count(1)


def _event(number: int, command: str) -> bytes:
    """Return a call of one of the sessions, which are in ten projects."""
    folder, use = Path(f"/tmp/project-{number % 10}"), f"toolu_{next(_ids):018d}"
    return call(session(number), use, folder, ("Bash", {"command": command}))


@contextmanager
def board(place: Home) -> Iterator[Screen]:
    """Run the board of a home on a pty; it has ended when the block ends."""
    env = place.env | {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"}
    pid, number = pty.fork()
    if not pid:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
        os.execve(place.build.hookd, [str(place.build.hookd), "board"], env)
    fcntl.ioctl(number, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
    screen = Screen(pid, number)
    try:
        yield screen
    finally:
        os.kill(pid, signal.SIGTERM)
        end = perf_counter() + 5
        while os.waitpid(pid, os.WNOHANG)[0] == 0:
            if perf_counter() > end:
                os.kill(pid, signal.SIGKILL)
            try:
                screen.read(0.05)
            except OSError:  # the board has closed its side
                continue
        os.close(number)


if __name__ == "__main__":
    with home() as one:
        for row in measure(one):
            print(f"{row.what}: {row.ours:.1f} {row.unit}")
