"""The process at the other end of a connection on this machine."""

import os
import socket
from pathlib import Path

import pytest

from hookd.system.tcp_peer import Peer, peer_of

pytestmark = pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="there is no /proc")


def test_a_connection_of_this_process_is_its_own() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)) as client:
            peer = peer_of(port, client.getsockname()[1])
    assert peer == Peer(os.getuid(), os.getpid())


def test_a_connection_that_is_not_there_is_unknown() -> None:
    assert peer_of(1, 1) is None
