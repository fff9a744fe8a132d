"""The hook's shim, run by a real bash, and a stand-in for the daemon at its socket."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from support.programs import PYTHON, needed

if TYPE_CHECKING:
    pass


ROOT = Path(__file__).resolve().parents[2]

SHIM = ROOT / "daemon" / "hookd" / "shims" / "hookd-hook"

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
    return f"{kind}:{PYTHON if kind == 'python3' else needed(kind)}"


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
    command = [str(SHIM), "--event", event, "--socket", str(sock), "--deadline", str(deadline)]
    command += ["--transport", transport(kind), *more]
    variables: dict[str, str | bytes] = {"PATH": PATH} | (env or {})
    return subprocess.run(
        command, input=payload, env=variables, capture_output=True, check=False, timeout=60
    )


BIG = b'{"a":"' + b"x" * 2_000_000 + b'"}\n'
