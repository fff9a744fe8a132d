"""Live: connections that say nothing, however many, keep no hook from its guards."""

import json
import resource
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from conftest import Home, until, verdict, window_in

MANY = 1_500


@contextmanager
def files(soft: int) -> Iterator[None]:
    """Let this process open more files for a while."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, before[1]), before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


def joins(home: Home, open_ones: ExitStack) -> bool:
    """Connect, and say nothing; False where too many wait to be let in."""
    try:
        open_ones.enter_context(home.link())
    except BlockingIOError:
        return False
    return True


def left(link: socket.socket) -> bool:
    """Whether the daemon has hung up."""
    link.setblocking(False)
    try:
        return link.recv(1) == b""
    except BlockingIOError:
        return False


def test_quiet_connections_make_room_and_who_listens_stays(home: Home) -> None:
    home.serves()
    window = window_in(home)
    with ExitStack() as open_ones:
        watcher = open_ones.enter_context(home.link())
        ask = {"jsonrpc": "2.0", "id": 1, "method": "fleet.subscribe", "params": {}}
        watcher.sendall(json.dumps(ask).encode() + b"\n")
        heard = open_ones.enter_context(watcher.makefile("rb"))
        assert b"result" in heard.readline()
        open_ones.enter_context(files(4 * MANY))
        first = open_ones.enter_context(home.link())
        for _ in range(MANY):
            until(lambda: joins(home, open_ones))
        assert verdict(window.bash("rm -rf /"))[0] == "deny"
        until(lambda: joins(home, open_ones) and left(first))
        assert verdict(window.bash("rm -rf /"))[0] == "deny"
        window.starts()
        assert b"fleet" in heard.readline(), "who listens is no idle connection"
