"""A scripted peer on loopback, and the requests that it got."""

import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread

CERTIFICATE = Path(__file__).parent / "localhost.pem"
"""Of a key that nobody else has a use for."""

SECONDS = 20
"""After which a test that hangs fails."""


@dataclass
class Asked:
    """One request as it came."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class WebPeer:
    """Answers each request with `raw`, the bytes as they are; None: not before it is over.

    `came` is set once it was asked, `left` once a client that was not answered has gone.
    """

    port: int = 0
    raw: bytes | None = b""
    asked: list[Asked] = field(default_factory=list)
    came: Event = field(default_factory=Event)
    left: Event = field(default_factory=Event)

    def says(self, status: int, body: bytes | str = b"", **headers: str) -> None:
        """Answer so from now on."""
        text = body.encode() if isinstance(body, str) else body
        told = {"Content-Length": str(len(text)), **headers}
        lines = [f"HTTP/1.1 {status} Said", *(f"{name}: {told[name]}" for name in told)]
        self.raw = "\r\n".join(lines).encode() + b"\r\n\r\n" + text


@contextmanager
def web_peer(*, tls: bool = False) -> Iterator[WebPeer]:
    """Serve until the test is over."""
    peer = WebPeer()
    with ThreadingHTTPServer(("127.0.0.1", 0), _handler(peer)) as server:
        server.daemon_threads = True
        if tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(CERTIFICATE)
            # The handshake belongs to the connection's own thread.
            server.socket = context.wrap_socket(
                server.socket, server_side=True, do_handshake_on_connect=False
            )
        server.handle_error = lambda *_: None  # type: ignore[method-assign]
        peer.port = server.server_address[1]
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield peer
        finally:
            server.shutdown()
            thread.join(SECONDS)


def _handler(peer: WebPeer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        timeout = SECONDS

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            peer.asked.append(Asked(self.command, self.path, dict(self.headers), body))
            peer.came.set()
            if peer.raw is None:
                self.rfile.read(1)
                peer.left.set()
            else:
                self.wfile.write(peer.raw)
            self.close_connection = True

        do_GET = do_POST  # noqa: N815 - as above
        log_message: Callable[..., None] = lambda *_: None

    return Handler
