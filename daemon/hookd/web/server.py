"""The process of `hookd web`: binds the socket, prints links, serves until Ctrl-C."""

import asyncio
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic

import uvicorn

from hookd import paths
from hookd.lazy_dataclass import dataclass
from hookd.store.browse.connection import Browser
from hookd.web import listener
from hookd.web.access import ENTRY, MAX_HEADER_BYTES, Rules
from hookd.web.app import Application
from hookd.web.central_ticks import CentralTicks
from hookd.web.context import Context, Policies, Source
from hookd.web.keys import LINK_SECONDS, Keys
from hookd.web.metrics import Exporter
from hookd.web.metrics_token import token_of
from hookd.web.open_link import LinkFile
from hookd.web.page import Site
from hookd.web.pages import SITE
from hookd.web.reads import Reads
from hookd.web.signals import Signals
from hookd.web.upstream import Upstream

_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

_MAX_CONNECTIONS = 96
_END_S = 3
"""Seconds that running requests have when the server ends."""


@dataclass(frozen=True, slots=True)
class Options:
    """What the command was asked for. `say` prints a line for the person at the terminal.

    `central` reads the central store of a fleet, for the pages of `site`; None: the database file.
    """

    say: Callable[[str], None]
    policies: Policies
    port: int = 0
    socket_path: Path | None = None
    origin: str = ""
    allow_changes: bool = False
    open_browser: bool = False
    metrics: bool = False
    site: Site = SITE
    central: Source | None = None


def serve(options: Options) -> None:
    """Serve until a signal ends the process. Raise ListenError if it cannot begin."""
    listening = _bound(options)
    try:
        with listening:
            _Server(options, _origin(options, listening)).run(sockets=[listening])
    finally:
        if options.socket_path is not None:
            options.socket_path.unlink(missing_ok=True)


def _bound(options: Options) -> socket.socket:
    if options.socket_path is not None:
        return listener.on_path(options.socket_path)
    return listener.on_port(options.port)


def _origin(options: Options, listening: socket.socket) -> str:
    """Return the origin that browsers see."""
    if options.socket_path is not None:
        return options.origin
    return f"http://{listener.LOOPBACK}:{listening.getsockname()[1]}"


def _now() -> datetime:
    return datetime.now(UTC)  # noqa: TID251 - the clock of this process


class _Server(uvicorn.Server):
    """uvicorn that prints links, and ends its streams on a signal."""

    def __init__(self, options: Options, origin: str) -> None:
        self._options = options
        keys = Keys()
        places = paths.paths()
        signals = Signals()
        self._token_file = places.state / "web" / "metrics-token"
        token = token_of(self._token_file) if options.metrics else ""
        self._exporter = Exporter(places)
        central = options.central
        self._upstream = (
            Upstream(places, signals, can_answer=options.allow_changes)
            if central is None
            else CentralTicks(signals)
        )
        self._context = Context(
            Rules(origin, keys.prefix, options.allow_changes, token),
            keys,
            Browser(places.database) if central is None else central,
            Reads(),
            signals,
            self._upstream,
            options.policies,
            places.stopped if central is None else None,
            _now,
            self._exporter.text,
        )
        self._folder = places.state / "web"
        self._file: LinkFile | None = None
        app = Application(self._context, options.site, self._entered)
        super().__init__(
            uvicorn.Config(
                app.asgi,
                loop="asyncio",
                http="h11",
                ws="none",
                lifespan="off",
                interface="asgi3",
                log_config=None,
                log_level="critical",
                access_log=False,
                proxy_headers=False,
                server_header=False,
                limit_concurrency=_MAX_CONNECTIONS,
                backlog=128,
                timeout_graceful_shutdown=_END_S,
                h11_max_incomplete_event_size=MAX_HEADER_BYTES,
            )
        )

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve, with the connection to the daemon beside it."""
        async with self._beside():
            await super().serve(sockets)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """End on a signal; uvicorn would raise it again before files are removed."""
        loop = asyncio.get_running_loop()
        for number in _ENDING:
            loop.add_signal_handler(number, self._end)
        try:
            yield
        finally:
            for number in _ENDING:
                loop.remove_signal_handler(number)

    def _end(self) -> None:
        """End the streams, too: they would last as long as their browsers."""
        self._context.signals.close()
        self.force_exit = self.should_exit  # the second time
        self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, then print the first link."""
        await super().startup(sockets)
        self._greet()

    @asynccontextmanager
    async def _beside(self) -> AsyncIterator[None]:
        async with asyncio.TaskGroup() as group:
            task = group.create_task(self._upstream.run())
            try:
                yield
            finally:
                task.cancel()
                self._entered()
                self._context.reads.close()
                self._context.browser.close()
                self._exporter.close()

    def _greet(self) -> None:
        """Say where the page is, and hand a link to the browser if that was asked for."""
        say, rules = self._options.say, self._context.rules
        mode = "changes are allowed" if rules.allow_changes else "read-only"
        place = self._options.socket_path or rules.origin
        say(f"hookd web serves on {place}, {mode}. End it with Ctrl-C.")
        if rules.metrics_token:
            say(f"Metrics: {rules.origin}/metrics, with the bearer token in {self._token_file}")
        if self._options.open_browser:
            self._open()
        self._print_link()
        self._listen_for_enter()

    def _link(self) -> str:
        rules = self._context.rules
        token = self._context.keys.link_token(monotonic())
        return f"{rules.origin}{rules.root}{ENTRY}{token}"

    def _print_link(self) -> None:
        say = self._options.say
        say(f"Open this link once, within {LINK_SECONDS:.0f} s; Enter prints another one:")
        say(f"  {self._link()}")

    def _open(self) -> None:
        """Open a link of its own: the printed one stays valid for another browser."""
        try:
            self._file = LinkFile(self._folder, self._link())
        except OSError as error:
            self._options.say(f"The browser is not opened: {error}. Use the link.")
            return
        self._file.open()
        asyncio.get_running_loop().call_later(LINK_SECONDS, self._entered)

    def _entered(self) -> None:
        """Remove the file of the link that a browser has opened, or that is too old."""
        if self._file is not None:
            with suppress(OSError):
                self._file.remove()
            self._file = None

    def _listen_for_enter(self) -> None:
        """Print another link for each line on standard input."""
        with suppress(OSError, ValueError):  # such as /dev/null
            asyncio.get_running_loop().add_reader(sys.stdin.fileno(), self._enter_pressed)

    def _enter_pressed(self) -> None:
        number = sys.stdin.fileno()
        # In the background of a shell, reading from its terminal would stop this process.
        loop = asyncio.get_running_loop()
        if _in_background(number):
            loop.remove_reader(number)
            loop.call_later(1, self._listen_for_enter)
            return
        if os.read(number, 4096):
            self._print_link()
        else:
            loop.remove_reader(number)


def _in_background(number: int) -> bool:
    """Return whether another job of a shell has this terminal."""
    try:
        return os.tcgetpgrp(number) != os.getpgrp()
    except OSError:  # a pipe, or a terminal that controls no job
        return False
