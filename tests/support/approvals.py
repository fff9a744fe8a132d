"""Permission requests that wait: who looks, requests by the real shim, and answers."""

import json
import os
import select
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support import forkserver
from support.home import HOOKD, Home, Window, until

_PATIENCE_S = 20
"""Seconds that a notification may take."""

HOLD = {"approvals": {"hold": True}}


@dataclass
class Viewer:
    """A person's `hookd approval --follow --json`."""

    pid: int
    output: int
    unread: bytes = b""

    def next(self) -> dict[str, Any]:
        """Return the next notification's params."""
        while b"\n" not in self.unread:
            assert select.select([self.output], [], [], _PATIENCE_S)[0], "nothing was notified"
            more = os.read(self.output, 65536)
            assert more, "the viewer has ended"
            self.unread += more
        line, _, self.unread = self.unread.partition(b"\n")
        told: dict[str, Any] = json.loads(line)
        return told

    def pending(self) -> dict[str, Any]:
        """Return the next request that begins to wait."""
        while not (found := self.next()["pending"]):
            pass
        (row,) = found
        return dict(row)

    def ended(self) -> dict[str, Any]:
        """Return the next request that has ended."""
        while not (found := self.next()["ended"]):
            pass
        (row,) = found
        return dict(row)


@contextmanager
def looking(home: Home) -> Iterator[Viewer]:
    """Let a person look, who can answer."""
    reads, writes = os.pipe()
    with Path(os.devnull).open("r+b") as null, os.fdopen(reads):
        try:
            streams = (null.fileno(), writes, writes)
            child = forkserver.Child(("approval", "-f", "--json"), home.env, None, *streams)
        finally:
            os.close(writes)
        viewer = Viewer(child.pid, reads)
        assert viewer.next() == {"pending": [], "ended": []}
        try:
            yield viewer
        finally:
            leave(viewer)
            child.wait()


def leave(viewer: Viewer) -> None:
    """Let a person look no more."""
    try:
        os.kill(viewer.pid, 9)
    except ProcessLookupError:
        return


@contextmanager
def asking(
    window: Window,
    event: dict[str, Any] | None = None,
    options: tuple[str, ...] = (),
    **more: Any,
) -> Iterator[subprocess.Popen[bytes]]:
    """Send a permission request by the shim, which runs until there is an answer.

    With other `options` the shim is one of another registration.
    """
    event = event or window.event("PermissionRequest", **more)
    words = window.home.shim("PermissionRequest", ("--hookd", str(HOOKD), *options))
    words[words.index("--deadline") + 1] = "60"
    shim = subprocess.Popen(
        words,
        env=window.home.env | window.identity,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert shim.stdin is not None
    shim.stdin.write(json.dumps(event).encode() + b"\n")
    shim.stdin.close()
    shim.stdin = None
    with shim:
        try:
            yield shim
        finally:
            shim.kill()


def answer_of(shim: subprocess.Popen[bytes]) -> Any:
    """Return what the client gets, None for silence."""
    out, err = shim.communicate(timeout=60)
    assert (shim.returncode, err) == (0, b""), err
    return json.loads(out)["hookSpecificOutput"]["decision"] if out else None


def answers(home: Home, *words: str | int, env: dict[str, str] | None = None) -> tuple[int, str]:
    """Run `hookd approval` as a person at a terminal."""
    args = ("approval", *map(str, words))
    return forkserver.at_a_terminal(args, home.env | (env or {}))


def status(home: Home, number: int) -> str:
    """Return how a request stands."""
    ((found,),) = home.rows("SELECT status FROM approvals WHERE id = ?", number)
    return str(found)


def ends_as(home: Home, number: int, wanted: str) -> None:
    """Wait until a request has this status."""
    until(lambda: status(home, number) == wanted)
