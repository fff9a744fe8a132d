"""The hook's shims, bash and native, and a stand-in for the daemon at its socket."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from support.native_shim import NATIVE, SHIMS, linked
from support.programs import PYTHON, needed

SHIM = SHIMS / "hookd-hook"

KINDS = ("nc", "socat", "perl", "python3", NATIVE)
"""The transports of the bash shim, and the native shim, which has none."""

ACK = b'{"jsonrpc":"2.0","method":"hooks.accepted"}\n'

PATH = f"{Path(sys.executable).parent}:/usr/bin:/bin"


def result(value: object) -> bytes:
    return b'{"jsonrpc":"2.0","id":1,"result":' + json.dumps(value).encode() + b"}\n"


@dataclass
class Daemon:
    """Reads a request line and a payload up to 0x1E, sends the given answer, and closes."""

    path: Path
    ack: bytes = ACK
    answer: bytes = result(None)
    hang_up_first: bool = False
    patience: float = 0
    late: float = 0  # seconds in the middle of its acknowledgement
    header: bytes = b""
    payload: bytes = b""
    calls: int = 0
    listener: socket.socket = field(default_factory=lambda: socket.socket(socket.AF_UNIX))

    def __enter__(self) -> Self:
        self.listener.bind(str(self.path))
        self.listener.listen(64)
        self.thread = threading.Thread(target=self._serve)
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.listener.shutdown(socket.SHUT_RDWR)
        self.thread.join()
        self.listener.close()

    def _serve(self) -> None:
        while True:
            try:
                link, _ = self.listener.accept()
            except OSError:
                return
            with link, link.makefile("rb") as stream:
                self._answer(link, stream)

    def _answer(self, link: socket.socket, stream: Any) -> None:
        self.calls += 1
        try:
            self.header = stream.readline()
            if self.hang_up_first:
                return
            link.sendall(self.ack[:9])
            threading.Event().wait(self.late)
            link.sendall(self.ack[9:])
            data = bytearray()
            while b"\x1e" not in data and (chunk := stream.read1(65536)):
                data += chunk
            # What follows the end mark is ignored.
            self.payload = bytes(data[: data.find(b"\x1e") + 1] or data)
            threading.Event().wait(self.patience)
            link.sendall(self.answer)
        except (BrokenPipeError, ConnectionResetError):
            return


def transport(kind: str) -> str:
    """Return how a transport is registered; for the native shim, what bash uses in its place."""
    return f"python3:{PYTHON}" if kind in ("python3", NATIVE) else f"{kind}:{needed(kind)}"


@contextmanager
def command(
    sock: Path, *more: str, event: str = "PreToolUse", kind: str = "python3", deadline: int = 20
) -> Iterator[list[str]]:
    """Yield the words that start the shim of this kind.

    The bash shim gets options, in the older form. The native one gets a folder as it is registered,
    and options only where no configuration can say the same.
    """
    options = ["--event", event, "--socket", str(sock), "--deadline", str(deadline)]
    options += ["--transport", transport(kind), *more]
    if kind != NATIVE:
        yield [str(SHIM), *options]
        return
    with tempfile.TemporaryDirectory(prefix="hk", dir="/tmp") as name:
        folder = Path(name)
        linked(folder)
        rows = _rows(list(more))
        if rows is None or not event.isalpha():
            yield [str(folder / "hookd-hook.native"), *options]
        else:
            policy = "closed" if "--fail-closed" in more else "open"
            rows += [f"socket {sock}", f"transport {transport(kind)}"]
            yield [str(_registered(folder, event, [*rows, f"events {deadline} {policy} {event}"]))]


def _rows(more: list[str]) -> list[str] | None:
    """Return the lines of a configuration that say the same as the options; None if none can."""
    words = [word for word in more if word != "--fail-closed"]
    pairs = list(zip(words[::2], words[1::2], strict=False))
    if 2 * len(pairs) < len(words) or not {option for option, _ in pairs} <= {"--send", "--hookd"}:
        return None
    return [f"{option.removeprefix('--')} {value}" for option, value in pairs]


def _registered(folder: Path, event: str, rows: list[str]) -> Path:
    """Write a configuration, and register the event; return its link."""
    scope = folder / "user"
    scope.mkdir()
    (scope / "config").write_text("".join(f"{row}\n" for row in rows))
    (scope / event).symlink_to("../hookd-hook.native")
    return scope / event


def run(
    sock: Path,
    *more: str,
    event: str = "PreToolUse",
    kind: str = "python3",
    payload: bytes = b"{}\n",
    env: dict[str, str | bytes] | None = None,
    deadline: int = 20,
) -> subprocess.CompletedProcess[bytes]:
    """Run the shim as the client does; a hook that leaves stdin unread breaks the pipe here."""
    variables: dict[str, str | bytes] = {"PATH": PATH} | (env or {})
    with command(sock, *more, event=event, kind=kind, deadline=deadline) as words:
        return subprocess.run(
            words, input=payload, env=variables, capture_output=True, check=False, timeout=60
        )


BIG = b'{"a":"' + b"x" * 2_000_000 + b'"}\n'
