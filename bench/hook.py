"""The home of the whole hook, from its start to its end: against bash, and against a script."""

import json
import os
import shutil
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from statistics import median
from time import perf_counter

from homes import ROOT, Home, home, session
from rows import Aim, Row

SHIM = ROOT / "daemon" / "hookd" / "shims" / "hookd-hook"
SCRIPT = Path(__file__).with_name("script_hook.py")
BASH = shutil.which("bash") or "/bin/bash"
PYTHON = getattr(sys, "_base_executable", sys.executable)
TRANSPORTS = {"nc": shutil.which("nc"), "socat": shutil.which("socat"), "python3": PYTHON}

_MARK = b"toolu_000000000000000000"
_CODE = "    for order in sorted(orders, key=lambda one: one.placed_at):\n        print(order.id)\n"
_numbers = count(1)


class HookError(Exception):
    """A hook did not do what it was measured doing."""


@dataclass(frozen=True)
class Size:
    """A size of payload, how often it is tried, and the aim against bash."""

    label: str
    size: int
    rounds: int
    aim: Aim


SIZES = (
    Size("200 bytes", 200, 80, Aim(2.6)),
    Size("10 kB", 10_000, 80, Aim(2.6)),
    Size("2 MB", 2_000_000, 20, Aim(8)),
)


@dataclass(frozen=True)
class Process:
    """Something to start. `env` and stdin are the same for both sides."""

    path: str
    args: tuple[str, ...]
    env: dict[str, str]

    def run(self, payload: bytes) -> float:
        """Start it, write the payload, read its output to the end, wait; return milliseconds."""
        began = perf_counter()
        stdin, to_stdin = os.pipe()
        from_stdout, stdout = os.pipe()
        pid = os.posix_spawn(
            self.path,
            [self.path, *self.args],
            self.env,
            file_actions=[
                (os.POSIX_SPAWN_DUP2, stdin, 0),
                (os.POSIX_SPAWN_DUP2, stdout, 1),
                (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
            ],
            setsigdef=[signal.SIGPIPE],
        )
        os.close(stdin)
        os.close(stdout)
        _feed(to_stdin, payload)
        while os.read(from_stdout, 65536):
            pass
        os.close(from_stdout)
        _, status = os.waitpid(pid, 0)
        if status != 0:
            raise HookError(f"{Path(self.path).name} ended with {status}")
        return (perf_counter() - began) * 1000


def _feed(number: int, payload: bytes) -> None:
    view = memoryview(payload)
    try:
        while view:
            view = view[os.write(number, view) :]
    except BrokenPipeError:
        pass  # bash -c : reads nothing
    finally:
        os.close(number)


def _payload(size: int) -> Callable[[], bytes]:
    """Return what makes a payload of `size` bytes, each with a tool_use_id of its own."""
    tool = ("Bash", "command") if size < 1000 else ("Write", "content")
    event = {
        "session_id": session(1),
        "hook_event_name": "PreToolUse",
        "tool_name": tool[0],
        "tool_input": {tool[1]: ""},
        "tool_use_id": _MARK.decode(),
    }
    room = size - len(json.dumps(event, separators=(",", ":"))) - 1
    # A newline is two bytes of JSON.
    text = "echo " + "x" * (room - 5) if size < 1000 else (_CODE * (room // len(_CODE)))
    event["tool_input"] = {tool[1]: text}
    line = json.dumps(event, separators=(",", ":")).encode() + b"\n"
    return lambda: line.replace(_MARK, b"toolu_%018d" % next(_numbers))


def _shim(place: Home, kind: str, program: str) -> Process:
    # A copy, as an installed one is: nobody edits it while it is measured.
    own = place.path / SHIM.name
    if not own.exists():
        shutil.copy(SHIM, own)
    args = ("--event", "PreToolUse", "--socket", str(place.socket), "--deadline", "14")
    return Process(
        str(own),
        (*args, "--transport", f"{kind}:{program}", "--hookd", "/nonexistent"),
        place.env | {"CLAUDE_PROJECT_DIR": str(place.path)},
    )


def _interleaved(
    sides: dict[str, Process], payload: Callable[[], bytes], rounds: int
) -> dict[str, float]:
    """Return the median of each side; every round runs each once, beginning at another."""
    names = list(sides)
    spent: dict[str, list[float]] = {name: [] for name in names}
    for turn in range(-2, rounds):
        first = turn % len(names)
        for name in names[first:] + names[:first]:
            milliseconds = sides[name].run(payload())
            if turn >= 0:
                spent[name].append(milliseconds)
    return {name: median(values) for name, values in spent.items()}


def measure() -> list[Row]:
    """Return the rows of the whole hook."""
    with home() as place:
        found = {kind: program for kind, program in TRANSPORTS.items() if program}
        sides = {kind: _shim(place, kind, program) for kind, program in found.items()}
        rows = [row for size in SIZES for row in _against_bash(place, sides, size)]
        fastest = next(iter(sides))
        return [*rows, _against_script(place, fastest, sides[fastest])]


def _against_bash(place: Home, sides: dict[str, Process], size: Size) -> list[Row]:
    bash = Process(BASH, ("-c", ":"), place.env)
    before = _events(place)
    spent = _interleaved({"bash": bash} | sides, _payload(size.size), size.rounds)
    _all_kept(place, before, len(sides) * (size.rounds + 2))
    return [
        Row(
            f"hook, {size.label}, through {kind} / bash -c :",
            "ms",
            spent[kind],
            spent["bash"],
            size.aim if kind == "nc" else None,
        )
        for kind in sides
    ]


def _against_script(place: Home, kind: str, shim: Process) -> Row:
    script = Process(PYTHON, (str(SCRIPT), str(place.path / "script.db")), place.env)
    rounds = 30
    before = _events(place)
    spent = _interleaved({"shim": shim, "script": script}, _payload(200), rounds)
    _all_kept(place, before, rounds + 2)
    what = f"hook, 200 bytes, through {kind} / a Python script"
    return Row(what, "ms", spent["shim"], spent["script"], Aim(1 / 6))


def _events(place: Home) -> int:
    """Return how many events were judged; what could not be read has no session."""
    return int(place.row("SELECT count(*) FROM events WHERE session_id IS NOT NULL")[0])


def _all_kept(place: Home, before: int, runs: int) -> None:
    kept = _events(place) - before
    if kept != runs:
        raise HookError(f"{runs} hooks ran, but {kept} events were kept")
