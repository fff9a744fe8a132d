"""Programs in the shims' configuration: transports to the socket, and hookd's own program."""

import os
import re
import select
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from hookd import paths
from hookd.cli.lib import program_search, shim_trial
from hookd.cli.lib.errors import Problem
from hookd.core.model.shim_paths import SHIM

_KINDS = ("nc", "socat", "perl")
_STEP_TIMEOUT_S = 2
"""Limit of each step of a trial."""

SLOW_MS = 30.0
"""Round trip from which on a transport causes a warning."""

FASTER = "install nc (netcat-openbsd) or socat"

_CARRIER = """
import posix, _socket, sys, _thread
link = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
link.connect(sys.argv[1])
link.sendall(posix.read(0, 65536))
while chunk := link.recv(65536): posix.write(1, chunk)
posix._exit(0)
"""
"""Imports and does what the shim has Python do."""

_SHIM = Path(__file__).parents[2] / "shims" / SHIM
_PERL = re.compile(r" -f -e '(.*?)' \"\$socket\" ", re.DOTALL)
"""Matches the program that the shim has perl run."""


def hookd() -> Path:
    """Return hookd's program. A link is returned as a link: its target moves with an upgrade."""
    for place in (Path(sys.argv[0]).absolute(), Path(sys.executable).with_name("hookd")):
        if place.name == "hookd" and place.is_file():
            return place
    sentence = "The program hookd was not found, so the shim could not start the daemon."
    raise Problem(sentence, "Install the package (pip install hookd), then run its hookd install.")


def off_path() -> str:
    """Return the problem if models, asked to run `hookd ...`, would not find it; else ""."""
    if shutil.which("hookd", path=paths.search_path()):
        return ""
    return (
        "hookd is not on the PATH, and models are asked to run it: hookd log, hookd handover save"
    )


def find() -> tuple[str, ...]:
    """Return the transports to the socket, the preferred one first, as `KIND:/path`.

    `nc`, `socat` and `perl` of the PATH are used if they work, then this Python's own interpreter:
    a `python3` of the PATH may be a script that starts another one, and so may be a `perl`.
    """
    carrying = (
        next((f"{kind}:{one}" for one in _candidates(kind) if measured(kind, one, 1)), "")
        for kind in _KINDS
    )
    return (*filter(None, carrying), *(f"python3:{place}" for place in interpreters()))


def refused() -> list[str]:
    """Return a sentence for each program on the PATH that `find` skips: others control it."""
    return [sentence for kind in _KINDS for sentence in program_search.refused(kind)]


def interpreters() -> list[str]:
    """Return this Python's base interpreter by its real path, and as it was started."""
    base: str = getattr(sys, "_base_executable", None) or sys.executable
    return list(dict.fromkeys([os.path.realpath(base), str(Path(sys.executable).absolute())]))


def measured(kind: str, program: str, rounds: int = 3) -> float | None:
    """Return the median milliseconds of a transport's round trips; None if one fails.

    A round trip starts the program, as every hook does, and sends a few bytes to a Unix socket and
    an answer back.
    """
    taken = []
    short = shim_trial.short_folder()
    try:
        folders = tempfile.TemporaryDirectory(prefix="hookd-", dir=short)
        with folders as folder, socket.socket(socket.AF_UNIX) as server:
            place = f"{folder}/socket"
            said = Path(folder, "said")
            said.write_bytes(b"ping")
            server.bind(place)
            server.listen()
            for _ in range(rounds):
                began = time.perf_counter()
                with said.open("rb") as stdin:
                    if not _echoes([program, *_arguments(kind, place)], stdin, server):
                        return None
                taken.append((time.perf_counter() - began) * 1000)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return statistics.median(taken)


def notes(kind: str, taken: float | None) -> list[str]:
    """Return notes about a transport whose round trip takes `taken` milliseconds."""
    if taken is not None and taken > SLOW_MS:
        return [f"the transport takes {taken:.0f} ms at every hook: {FASTER}, then hookd install"]
    if kind == "python3":
        return [
            f"without nc, socat and perl every hook starts Python: {FASTER}, then hookd install"
        ]
    return []


def _candidates(kind: str) -> Iterator[str]:
    """Yield the programs of this name on the PATH, except perls that are scripts."""
    for one in program_search.candidates(kind):
        if kind != "perl" or not _is_script(one):
            yield one


def _is_script(program: str) -> bool:
    try:
        with Path(program).open("rb") as file:
            return file.read(2) == b"#!"
    except OSError:
        return True


def _arguments(kind: str, place: str) -> list[str]:
    """Return the arguments that the shim passes to a transport."""
    if kind == "nc":
        return ["-U", "-w", str(_STEP_TIMEOUT_S), place]
    if kind == "socat":
        return [f"-t{_STEP_TIMEOUT_S}", f"-T{_STEP_TIMEOUT_S}", "STDIO", f"UNIX-CONNECT:{place}"]
    if kind == "perl":
        program = _PERL.search(_SHIM.read_text("utf-8"))
        return ["-f", "-e", program[1] if program else "exit", place, str(_STEP_TIMEOUT_S)]
    return ["-S", "-E", "-I", "-c", _CARRIER, place]


def _echoes(command: list[str], stdin: BinaryIO, server: socket.socket) -> bool:
    pipe, null = subprocess.PIPE, subprocess.DEVNULL
    with subprocess.Popen(command, stdin=stdin, stdout=pipe, stderr=null) as process:
        try:
            # Without support for -U its output ends at once, so that there is no wait.
            watched: list[Any] = [server, process.stdout]
            if server not in select.select(watched, [], [], _STEP_TIMEOUT_S)[0]:
                return False
            with server.accept()[0] as peer:
                peer.settimeout(_STEP_TIMEOUT_S)
                peer.sendall(peer.recv(16).upper())
            return process.communicate(timeout=_STEP_TIMEOUT_S)[0] == b"PING"
        finally:
            process.kill()
