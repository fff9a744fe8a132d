"""A connection with the daemon's notifications."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from support.home import Home


@dataclass
class Ear:
    """The request of one connection, and its notifications."""

    answer: dict[str, Any]
    lines: Any

    def next(self) -> tuple[str, dict[str, Any]]:
        """Return the next notification: its method and its params."""
        told = json.loads(self.lines.readline())
        return told["method"], told["params"]

    def until(self, **wanted: Any) -> dict[str, Any]:
        """Return the row of an agent, once a notification matches."""
        while True:
            method, params = self.next()
            assert method == "fleet.changed"
            for row in params["agents"]:
                if wanted.items() <= row.items():
                    return dict(row)


@contextmanager
def listening(home: Home, method: str, **params: Any) -> Iterator[Ear]:
    """Ask, and listen on."""
    with home.link() as link, link.makefile("rb") as lines:
        asked = {"jsonrpc": "2.0", "id": 7, "method": method, "params": params}
        link.sendall(json.dumps(asked).encode() + b"\n")
        yield Ear(json.loads(lines.readline()), lines)
