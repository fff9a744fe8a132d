"""The home of what a shim is told: who carries its bytes to the socket, and where hookd is."""

import select
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, BinaryIO

from hookd import paths
from hookd.cli.problem import Problem

_PATIENCE = 2
"""Seconds that each step of the trial of nc may take."""


def hookd() -> Path:
    """Return hookd's program. A link is kept as a link: what it names moves with an upgrade."""
    for place in (Path(sys.argv[0]).absolute(), Path(sys.executable).with_name("hookd")):
        if place.name == "hookd" and place.is_file():
            return place
    sentence = "The program hookd was not found, so the shim could not start the daemon."
    raise Problem(sentence, "Install the package (pip install hookd), then run its hookd install.")


def off_path() -> str:
    """Return what is wrong where models, told to run `hookd ...`, would not find it; else ""."""
    if shutil.which("hookd", path=paths.search_path()):
        return ""
    return "hookd is not on the PATH, and models are told to run it: hookd log, hookd handover save"


def find() -> str:
    """Return the program that carries bytes to the socket, as the shim is told: kind and path."""
    for kind in ("nc", "socat", "python3"):
        place = shutil.which(kind, path=paths.search_path())
        if place and (kind != "nc" or _carries(place)):
            return f"{kind}:{Path(place).absolute()}"
    return f"python3:{sys.executable}"


def _carries(nc: str) -> bool:
    """Say whether this `nc` brings bytes to a Unix socket and the answer back: many cannot."""
    with tempfile.TemporaryDirectory(prefix="hookd-") as folder:
        said, place = Path(folder, "said"), f"{folder}/socket"
        said.write_bytes(b"ping")
        with said.open("rb") as stdin, socket.socket(socket.AF_UNIX) as server:
            try:
                server.bind(place)
                server.listen()
                return _echoes([nc, "-U", "-w", str(_PATIENCE), place], stdin, server)
            except (OSError, subprocess.TimeoutExpired):
                return False


def _echoes(command: list[str], stdin: BinaryIO, server: socket.socket) -> bool:
    pipe, null = subprocess.PIPE, subprocess.DEVNULL
    with subprocess.Popen(command, stdin=stdin, stdout=pipe, stderr=null) as process:
        try:
            # Its output ends at once where it does not know -U, so that nobody waits for it.
            watched: list[Any] = [server, process.stdout]
            if server not in select.select(watched, [], [], _PATIENCE)[0]:
                return False
            with server.accept()[0] as peer:
                peer.settimeout(_PATIENCE)
                peer.sendall(peer.recv(16).upper())
            return process.communicate(timeout=_PATIENCE)[0] == b"PING"
        finally:
            process.kill()
