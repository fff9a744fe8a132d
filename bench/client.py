"""Many clients in one process: each connection sends a real call after each answer.

`client.py SOCKET PROJECT MIX FIRST CONNECTIONS REQUESTS` says ready, waits for a line, and tells in
JSON when it began and ended, by the clock that all processes share, and the milliseconds that each
answer took. Every connection is one session.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from selectors import EVENT_READ, DefaultSelector
from socket import AF_UNIX, socket
from time import CLOCK_MONOTONIC, clock_gettime

from calls import MIXES, line
from homes import PATIENCE, session


def _lines(number: int, requests: int, project: Path, mix: str) -> Iterator[bytes]:
    """Return a session's calls, one maker after the other; another session begins with another."""
    kinds = MIXES[mix]
    makers = (kinds[(number + i) % len(kinds)] for i in range(requests))
    owner, first = session(number), number * requests
    made = [line(make, project, owner, first + i) for i, make in enumerate(makers)]
    return iter(made)


def _served(selector: DefaultSelector, asked: dict[int, float]) -> list[float]:
    """Keep every connection asking until it has no more to ask; `asked` is when each did."""
    spent = []
    while selector.get_map():
        ready = selector.select(PATIENCE)
        if not ready:
            raise TimeoutError("the daemon is silent")
        for key, _ in ready:
            answer = key.fileobj.recv(65536)
            if not (answer.startswith(b'{"jsonrpc":"2.0","id":1,"result"') and answer[-1] == 10):
                raise ConnectionError(answer.decode(errors="replace"))
            spent.append((_now() - asked[key.fd]) * 1000)
            if request := next(key.data, None):
                asked[key.fd] = _now()
                key.fileobj.sendall(request)
            else:
                selector.unregister(key.fileobj)
    return spent


def _now() -> float:
    return clock_gettime(CLOCK_MONOTONIC)


def main(path: str, project: str, mix: str, *numbers: str) -> None:
    first, connections, requests = map(int, numbers)
    selector = DefaultSelector()
    for number in range(first, first + connections):
        link = socket(AF_UNIX)
        link.connect(path)
        selector.register(link, EVENT_READ, _lines(number, requests, Path(project), mix))
    print("ready", flush=True)
    sys.stdin.readline()
    began, asked = _now(), {}
    for key in list(selector.get_map().values()):
        asked[key.fd] = _now()
        key.fileobj.sendall(next(key.data))
    spent = _served(selector, asked)
    print(json.dumps({"began": began, "ended": _now(), "spent": spent}), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
