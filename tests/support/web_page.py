"""A real `hookd web` on a real port or socket, and a browser's requests to it."""

import os
import pty
import re
import select
import signal
import socket
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path

from support.forkserver import Child
from support.home import Home

SECONDS = 30

HEADERS = {
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}
"""Headers of every answer."""

REFUSED = {
    "no cookie": (403, {"Cookie": ""}),
    "a cookie of another session": (403, {"Cookie": "hookd=x"}),
    "another host": (403, {"Host": "evil.example"}),
    "localhost": (403, {"Host": "localhost"}),
    "another port": (403, {"Host": "127.0.0.1:1"}),
    "another origin": (403, {"Origin": "http://evil.example"}),
    "the origin of another port": (403, {"Origin": "http://127.0.0.1:1"}),
    "another site": (403, {"Sec-Fetch-Site": "cross-site"}),
    "another port of this site": (403, {"Sec-Fetch-Site": "same-site"}),
    "many headers": (431, {f"x-{number}": "a" for number in range(80)}),
}
"""Requests below the prefix that are refused: the status, and their headers."""

OUTSIDE = [
    "/",
    "/decisions",
    "/static/style.css",
    "/metrics",
    "/open/x",
    "//",
    "/%2e%2e/",
    "/favicon.ico",
]
"""Paths outside of the prefix."""


@dataclass
class Answer:
    """A response whose whole body was read."""

    status: int
    headers: dict[str, str]
    body: str


@dataclass
class Web:
    """The process. `cookie` is that of a link that was opened, "" before."""

    process: Child
    terminal: int
    path: Path | None = None
    said: str = ""
    links: list[str] = field(default_factory=list)
    cookie: str = ""

    @property
    def link(self) -> str:
        return self.links[-1]

    @property
    def origin(self) -> str:
        return "/".join(self.link.split("/")[:3])

    @property
    def host(self) -> str:
        return self.origin.partition("://")[2]

    @property
    def port(self) -> int:
        return int(self.host.rpartition(":")[2])

    @property
    def root(self) -> str:
        """Path of the first page, with the slash at its end."""
        return f"/{self.link.split('/')[3]}/"

    def read_link(self) -> str:
        """Return the next link that is printed."""
        known = len(self.links)
        end = time.monotonic() + SECONDS
        while len(self.links) == known:
            assert time.monotonic() < end, self.said
            assert select.select([self.terminal], [], [], SECONDS)[0], self.said
            self.said += os.read(self.terminal, 4096).decode()
            self.links = re.findall(r"(https?://\S+/open/\S+)\s", self.said)
        return self.link

    def drain(self) -> None:
        """Read what is printed until the process has ended."""
        with suppress(OSError):  # the terminal has no other end any more
            while chunk := os.read(self.terminal, 4096):
                self.said += chunk.decode()

    def press_enter(self) -> str:
        """Ask for another link, as a person does."""
        os.write(self.terminal, b"\n")
        return self.read_link()

    def enters(self) -> "Web":
        """Open the last link: the requests that follow have its cookie."""
        answer = self.ask("GET", self.link.removeprefix(self.origin), cookie="")
        assert answer.status == 200, answer
        self.cookie = answer.headers["set-cookie"].partition(";")[0]
        return self

    def get(self, path: str = "", **headers: str) -> Answer:
        """Load a page below the prefix, as a browser does that has the cookie."""
        return self.ask("GET", self.root + path, headers)

    def form(self, path: str, body: str, **headers: str) -> Answer:
        """Send a form of a page of this server."""
        named = {
            "Origin": self.origin,
            "Content-Type": "application/x-www-form-urlencoded",
            "Sec-Fetch-Site": "same-origin",
            **headers,
        }
        return self.ask("POST", self.root + path, named, body=body)

    def csrf(self, page: str = "") -> str:
        """Return the token of a form of a page."""
        found = re.search(r'name="csrf" value="(\w+)"', self.get(page).body)
        assert found, "the page has no form"
        return found[1]

    def ask(
        self,
        method: str,
        path: str,
        headers: Mapping[str, str] | None = None,
        *,
        cookie: str | None = None,
        body: str | bytes | None = None,
    ) -> Answer:
        """Send one request on a connection of its own; underscores in names are hyphens."""
        with self.connection() as link:
            return whole(self.send(link, method, path, headers, cookie=cookie, body=body))

    def send(
        self,
        link: HTTPConnection,
        method: str,
        path: str,
        headers: Mapping[str, str] | None = None,
        *,
        cookie: str | None = None,
        body: str | bytes | None = None,
    ) -> HTTPResponse:
        """Send one request; return its response, whose body is not read yet."""
        own = self.cookie if cookie is None else cookie
        named = {"Host": self.host} | ({"Cookie": own} if own else {})
        named |= {name.replace("_", "-"): value for name, value in (headers or {}).items()}
        link.request(method, path, body, named)
        return link.getresponse()

    @contextmanager
    def connection(self) -> Iterator[HTTPConnection]:
        """Open a connection to the server."""
        link = HTTPConnection("127.0.0.1", self.port if self.path is None else 1, timeout=SECONDS)
        if self.path is not None:
            link.sock = socket.socket(socket.AF_UNIX)
            link.sock.settimeout(SECONDS)
            link.sock.connect(str(self.path))
        try:
            yield link
        finally:
            link.close()


def whole(response: HTTPResponse) -> Answer:
    """Read the body of a response."""
    headers = {name.lower(): value for name, value in response.getheaders()}
    return Answer(response.status, headers, response.read().decode())


@contextmanager
def web(home: Home, *args: str, env: Mapping[str, str] | None = None) -> Iterator[Web]:
    """Serve in a terminal of its own until the test is over; the first link is printed."""
    ours, theirs = pty.openpty()
    try:
        # Not a child of this process, which fires hooks: a person starts it.
        process = Child(("web", *args), {**home.env, **(env or {})}, home.path, *[theirs] * 3)
    finally:
        os.close(theirs)
    path = Path(args[args.index("--socket") + 1]) if "--socket" in args else None
    served = Web(process, ours, path)
    try:
        served.read_link()
        yield served
    finally:
        with suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGTERM)
        served.drain()
        process.wait()
        os.close(ours)
