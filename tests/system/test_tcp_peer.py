"""The process at the other end of a connection on this machine."""

import os
import socket
import subprocess
from pathlib import Path

import pytest

from hookd.system.tcp_peer import Peer, peer_of

pytestmark = pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="there is no /proc")


def test_a_connection_of_this_process_is_its_own() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)) as client:
            peer = peer_of(port, client.getsockname()[1])
    assert peer == Peer(os.getuid(), (os.getpid(),))


def test_a_connection_that_is_not_there_is_unknown() -> None:
    assert peer_of(1, 1) is None


def test_a_connection_that_its_process_has_closed_is_unknown() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)) as client:
            other = client.getsockname()[1]
            accepted, _ = server.accept()
        with accepted:
            assert peer_of(port, other) is None


def test_all_processes_that_have_a_connection_are_its_own() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)) as client:
            holder = subprocess.Popen(["cat"], stdin=subprocess.PIPE, pass_fds=[client.fileno()])
            with holder:
                peer = peer_of(port, client.getsockname()[1])
    assert peer is not None
    assert set(peer.pids) == {os.getpid(), holder.pid}
