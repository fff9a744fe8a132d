"""A scripted peer in a daemon's place: real lines, real socket."""

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any


def told(method: str, **params: Any) -> bytes:
    """Return a notification's line."""
    return json.dumps({"jsonrpc": "2.0", "method": method, "params": params}).encode() + b"\n"


class Peer:
    """Answers every request with `answer`; `asked` are the requests, `links` who still listens.

    With `refusals` each answer has the request's id: an error of the code that the method has
    there, or an empty result. With `hangs` it answers nothing.
    """

    def __init__(self, place: Path) -> None:
        self.answer = b'{"jsonrpc":"2.0","id":1,"result":{"attached":true}}\n'
        self.refusals: dict[str, int] | None = None
        self.hangs = False
        self.asked: list[dict[str, Any]] = []
        self.links: list[socket.socket] = []
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(place))
        self.listener.listen()
        self.threads = [threading.Thread(target=self.accept)]
        self.threads[0].start()

    def accept(self) -> None:
        with suppress(OSError):
            while True:
                link, _ = self.listener.accept()
                self.threads.append(threading.Thread(target=self.serve, args=(link,)))
                self.threads[-1].start()

    def serve(self, link: socket.socket) -> None:
        with suppress(OSError), link, link.makefile("rb") as lines:
            for line in lines:
                message = json.loads(line)
                if message["method"] not in ("daemon.status", "run.end"):
                    self.links.append(link)
                    self.asked.append(message)
                link.sendall(self.reply(message))

    def reply(self, message: dict[str, Any]) -> bytes:
        """Return the lines that answer a request."""
        if self.refusals is None:
            return self.answer
        answer: dict[str, Any] = {"jsonrpc": "2.0", "id": message["id"], "result": {}}
        if code := self.refusals.get(message["method"], 0):
            answer = answer | {"error": {"code": code, "message": "no"}}
            del answer["result"]
        return b"" if self.hangs else json.dumps(answer).encode() + b"\n"

    def tell(self, method: str, **params: Any) -> None:
        """Tell it who asked last."""
        self.links[-1].sendall(told(method, **params))

    def drop(self) -> None:
        """End the connection of who asked last."""
        self.links[-1].shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        for link in self.links:
            with suppress(OSError):
                link.shutdown(socket.SHUT_RDWR)
        for thread in self.threads:
            thread.join()


@contextmanager
def at(place: Path) -> Iterator[Peer]:
    """Listen until the block ends."""
    place.parent.mkdir(exist_ok=True)
    peer = Peer(place)
    try:
        yield peer
    finally:
        peer.close()
