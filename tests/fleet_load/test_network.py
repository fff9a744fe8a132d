"""The network of `make fleet-load`, as a process: it delays, loses and cuts, and heals."""

import socket
import socketserver
from collections.abc import Iterator
from contextlib import closing
from queue import Queue
from threading import Thread

import pytest

from fleet_load.scene import Network

END = b""
"""What the server notes at the end of a connection."""


class Far(socketserver.ThreadingTCPServer):
    """A server behind the network, which answers each line with it, and notes it."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answer)
        self.noted: Queue[bytes] = Queue()


class Answer(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        assert isinstance(self.server, Far)
        for line in self.rfile:
            self.server.noted.put(line)
            self.wfile.write(line)
        self.server.noted.put(END)


@pytest.fixture
def far() -> Iterator[Far]:
    with Far() as server:
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture
def network(far: Far) -> Iterator[Network]:
    made = Network(far.server_address[1], 2)
    yield made
    made.end()


def link(network: Network, group: int = 0) -> closing[socket.socket]:
    """Connect to the server by the port of a group."""
    return closing(socket.create_connection(("127.0.0.1", network.ports[group]), timeout=30))


def says(end: socket.socket, line: bytes) -> bytes:
    """Send a line; return the answer, nothing if the connection has ended."""
    try:
        end.sendall(line)
        return end.recv(100)
    except ConnectionError:
        return END


def test_what_was_delayed_arrives_when_it_heals(network: Network, far: Far) -> None:
    with link(network) as end, link(network, 1) as other:
        assert says(end, b"one\n") == b"one\n"
        network.tell("delay", 0)
        end.sendall(b"two\n")
        assert says(other, b"of another group\n") == b"of another group\n"
        assert [far.noted.get(), far.noted.get()] == [b"one\n", b"of another group\n"]
        network.tell("heal", 0)
        assert end.recv(100) == b"two\n"


def test_a_lost_connection_stays_lost_and_the_server_learns_nothing(
    network: Network, far: Far
) -> None:
    with link(network) as end:
        assert says(end, b"one\n") == b"one\n"
        network.tell("lose", 0)
        end.sendall(b"two\n")
    network.tell("heal", 0)
    with link(network) as end:
        assert says(end, b"three\n") == b"three\n"
    assert [far.noted.get(timeout=30) for _ in range(3)] == [b"one\n", b"three\n", END]
    assert far.noted.empty()


def test_a_cut_network_ends_connections_and_refuses_new_ones(network: Network, far: Far) -> None:
    with link(network) as end:
        assert says(end, b"one\n") == b"one\n"
        network.tell("cut", 0)
        assert says(end, b"two\n") == END
    with link(network) as end:
        assert says(end, b"two\n") == END
    assert [far.noted.get(timeout=30) for _ in range(2)] == [b"one\n", END]
    network.tell("heal", 0)
    with link(network) as end:
        assert says(end, b"three\n") == b"three\n"
