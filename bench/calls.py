"""Kinds of tool calls on the socket, in turns with an asyncio echo and with an older build.

A kind is what a real session sends: a command that was judged before, a new one, a file that was
never seen. The echo is the unit, since it slows down as the machine does.
"""

import asyncio
import subprocess
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from time import perf_counter
from typing import Any

from builds import THIS, Build
from commands import commit_message, here_document, many_commands, pipeline
from homes import Home, call, home, session
from latency import LatencyError, echo
from rows import Aim, Row, percentile

Call = tuple[str, dict[str, Any]]
"""A tool's name and its input."""

CODE = "    for order in sorted(orders, key=lambda one: one.placed_at):\n        print(order.id)\n"

_numbers = count(1)


@dataclass(frozen=True)
class Kind:
    """One kind of call: `make(project, number)` returns the next one of it.

    `aim` limits the median as a ratio to the echo.
    """

    name: str
    make: Callable[[Path, int], Call]
    aim: float | None = None
    verdict: str = "allow"
    rounds: int = 40
    block: int = 20


def _seen(_project: Path, _number: int) -> Call:
    return "Bash", {"command": "git status"}


def _new(_project: Path, number: int) -> Call:
    return "Bash", {"command": f"git log -n {number} --oneline"}


def _read(project: Path, number: int) -> Call:
    file = project / "src" / f"orders_{number}.py"
    file.touch()
    return "Read", {"file_path": str(file)}


def _write(project: Path, number: int) -> Call:
    content = (CODE * (10_000 // len(CODE) + 1))[:9_500]
    return "Write", {"file_path": str(project / "src" / f"new_{number}.py"), "content": content}


def _edit(project: Path, number: int) -> Call:
    file = project / "src" / f"orders_{number}.py"
    file.touch()
    return "Edit", {"file_path": str(file), "old_string": "old", "new_string": CODE}


def _deleted(_project: Path, number: int) -> Call:
    return "Bash", {"command": f"rm -rf ~/Documents/reports-{number}"}


def _listed(_project: Path, number: int) -> Call:
    return "Bash", {"command": f"ls -la ~/Documents/reports-{number}"}


def _long(text: Callable[[int], str]) -> Callable[[Path, int], Call]:
    return lambda _project, number: ("Bash", {"command": text(number)})


KINDS = (
    Kind("Bash, seen before", _seen, 15),
    Kind("Bash, new", _new, 24),
    Kind("Read of a new file", _read, 35),
    Kind("Write of 10 kB to a new file", _write, 35),
    Kind("Edit of a new file", _edit),
    Kind("300 new characters", _long(pipeline), 100, rounds=20, block=10),
    Kind("a listing, allowed", _listed),
    Kind("a deletion, denied", _deleted, verdict="deny"),
    Kind("10,000 characters, a here-document", _long(here_document), rounds=20, block=10),
    Kind("10,000 characters, a commit message", _long(commit_message), rounds=20, block=10),
    Kind("200 different commands", _long(many_commands), verdict="", rounds=12, block=5),
)
ALLOWED, DENIED = "a listing, allowed", "a deletion, denied"


def _known(project: Path, _number: int) -> Call:
    return "Read", {"file_path": str(project / "README.md")}


def _found(_project: Path, number: int) -> Call:
    return "Grep", {"pattern": f"def total_{number}", "path": "src"}


MIXES: dict[str, tuple[Callable[[Path, int], Call], ...]] = {
    "the same call": (_seen,),
    "mixed calls": (_seen, _read, _new, _listed, _known, _edit, _seen, _found),
}
"""Makers of the calls of sessions under load: one again and again, and those of a working day."""


def project(place: Home) -> Path:
    """Make a repository in a home, as the calls need it, and return its folder."""
    path = place.path / "work" / "shop"
    if not path.exists():
        (path / "src").mkdir(parents=True)
        subprocess.run(["git", "init", "-q", str(path)], check=True)
    return path


def line(make: Callable[[Path, int], Call], folder: Path, owner: str, number: int) -> bytes:
    """Return the request for one call of a session in a project's folder."""
    return call(owner, f"toolu_{number:018d}", folder, make(folder, number))


def measure(base: Build | None = None) -> list[Row]:
    """Return the rows of all kinds, with those of an older build if there is one."""
    with ExitStack() as stack:
        builds = {build.name: build for build in (THIS, base) if build}
        places = {name: stack.enter_context(home(build=one)) for name, one in builds.items()}
        place = places[THIS.name]
        path = stack.enter_context(echo(place.path / "asyncio.sock"))
        spent = {kind.name: _in_turns(kind, places, path) for kind in KINDS}
    rows = [_row(kind, spent[kind.name], base) for kind in KINDS]
    return [*rows, _denials(spent, base)]


def _in_turns(kind: Kind, places: dict[str, Home], echo: Path) -> dict[str, list[float]]:
    """Return the milliseconds of each side; every round begins with another side."""
    spent: dict[str, list[float]] = {"echo": [], **{name: [] for name in places}}
    names = list(spent)
    for turn in range(-2, kind.rounds):
        first = turn % len(names)
        for name in names[first:] + names[:first]:
            values = asyncio.run(_asked(*_block(kind, name, places, echo)))
            if turn >= 0:
                spent[name] += values
    return spent


def _block(
    kind: Kind, name: str, places: dict[str, Home], echo: Path
) -> tuple[Path, list[bytes], str]:
    if name == "echo":
        place = next(iter(places.values()))
        return echo, [line(_seen, project(place), session(1), n) for n in range(kind.block)], ""
    place = places[name]
    folder, numbers = project(place), (next(_numbers) for _ in range(kind.block))
    requests = [line(kind.make, folder, session(1), number) for number in numbers]
    return place.socket, requests, kind.verdict


async def _asked(path: Path, lines: list[bytes], verdict: str) -> list[float]:
    """Return what each answer took an asyncio client, in milliseconds.

    Raises LatencyError where an answer is not the verdict that the kind of call has.
    """
    reader, writer = await asyncio.open_unix_connection(path)
    spent = []
    for request in lines:
        began = perf_counter()
        writer.write(request)
        answer = await reader.readline()
        spent.append((perf_counter() - began) * 1000)
        denied = b'"permissionDecision":"deny"' in answer
        if b'"error"' in answer[:60] or (verdict and denied != (verdict == "deny")):
            raise LatencyError(answer.decode(errors="replace"))
    writer.close()
    await writer.wait_closed()
    return spent


def _row(kind: Kind, spent: dict[str, list[float]], base: Build | None) -> Row:
    ours, before = spent[THIS.name], spent[base.name] if base else []
    what = f"hooks.preToolUse: {kind.name}"
    return Row(
        f"{what}, p50 / asyncio echo",
        "ms",
        percentile(ours, 50),
        percentile(spent["echo"], 50),
        aim=Aim(kind.aim) if kind.aim else None,
        before=percentile(before, 50) if base else None,
    )


def _denials(spent: dict[str, dict[str, list[float]]], base: Build | None) -> Row:
    ours, theirs = (percentile(spent[kind][THIS.name], 50) for kind in (DENIED, ALLOWED))
    before = percentile(spent[DENIED][base.name], 50) if base else None
    return Row("hooks.preToolUse: denied / allowed, p50", "ms", ours, theirs, Aim(1.15), before)
