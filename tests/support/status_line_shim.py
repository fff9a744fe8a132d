"""A stand-in for the daemon that answers the status line's shim."""

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ACK = b'{"jsonrpc":"2.0","method":"hooks.accepted"}\n'

LINE = "task · 1:implement · \x1b[33m88%\x1b[0m & /'%s*?"


def result(line: str) -> bytes:
    """Return the answer as the daemon writes it: no escape but that of colours."""
    answer = {"jsonrpc": "2.0", "id": 1, "result": {"line": line}}
    return json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


@dataclass
class Peer:
    """Reads a request line and a payload up to 0x1E, sends the given answer, and closes.

    Where it `hangs`, it says what it has to, and leaves the connection open.
    """

    path: Path
    ack: bytes = ACK
    answer: bytes = field(default_factory=lambda: result(LINE))
    hangs: bool = False
    header: dict[str, Any] = field(default_factory=dict)
    payload: bytes = b""
    calls: int = 0

    def serve(self, listener: socket.socket) -> None:
        kept = []
        while True:
            try:
                link, _ = listener.accept()
            except OSError:
                break
            kept.append(link)
            self.calls += 1
            with link.makefile("rb") as stream, suppress(ConnectionError):  # who asked may be gone
                if not (header := stream.readline()):
                    continue  # who asked was cancelled before it had said anything
                self.header = json.loads(header.decode(errors="replace"))
                link.sendall(self.ack)
                while not self.payload.endswith(b"\x1e") and (more := stream.read1(65536)):
                    self.payload += more
                link.sendall(self.answer)
            if not self.hangs:
                link.close()
        for link in kept:
            link.close()


@contextmanager
def serving(peer: Peer) -> Iterator[Peer]:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(peer.path))
        listener.listen()
        thread = threading.Thread(target=peer.serve, args=(listener,))
        thread.start()
        try:
            yield peer
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            thread.join()
