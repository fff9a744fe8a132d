"""One POST over HTTP, to an address that was checked, and what came back.

Each exchange has a thread of its own: a name server or a peer that hangs delays no other, and
at the deadline its socket is shut down, so that the thread ends too. Nothing of http.client is
loaded before the first exchange.
"""

import asyncio
import ipaddress
import socket
import ssl
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import field
from threading import Lock, Thread
from typing import TypeVar

from hookd.core.hook_rules import http_policy
from hookd.core.hook_rules.http_policy import Target
from hookd.lazy_dataclass import dataclass

T = TypeVar("T")

_Place = tuple[socket.AddressFamily, str]


class ExchangeError(Exception):
    """Why an exchange came to nothing, in words that hold neither headers nor bodies."""


@dataclass(frozen=True, slots=True)
class Request:
    """Request to send. `limit` is how much of an answer is read.

    `guarded` ones are sent in clear text to this machine only: they hold a key.
    """

    target: Target
    body: bytes = field(repr=False)
    headers: Mapping[str, str] = field(repr=False)
    limit: int
    guarded: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back; the body of 2xx only. `cut` says that there was more of it."""

    status: int
    body: bytes = b""
    cut: bool = False


async def exchange(request: Request, deadline: float) -> Answer:
    """Send it and return the answer. No redirect is followed, no proxy is asked.

    Raise ExchangeError, or TimeoutError where the loop's clock comes to `deadline` first.
    """
    patience = deadline - asyncio.get_running_loop().time()
    if patience <= 0:
        raise TimeoutError
    call = _Call(request, patience)
    try:
        async with asyncio.timeout_at(deadline):
            return await aside(call.run)
    finally:
        call.stop()


async def aside(work: Callable[[], T]) -> T:
    """Return what `work` returns on a thread of its own, which is abandoned once cancelled."""
    future: Future[T] = Future()
    future.set_running_or_notify_cancel()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:  # noqa: BLE001 - raised where it is awaited
            future.set_exception(error)

    Thread(target=run, name="hookd-exchange", daemon=True).start()
    return await asyncio.wrap_future(future)


class _Call:
    """One exchange as a thread does it; `stop` ends it from outside."""

    def __init__(self, request: Request, patience: float) -> None:
        self._request = request
        self._patience = patience
        self._lock = Lock()
        self._socket: socket.socket | None = None
        self._stopped = False

    def stop(self) -> None:
        """Let whatever it waits for fail now; what is not begun yet does not begin."""
        with self._lock:
            self._stopped = True
            if self._socket is not None:
                with suppress(OSError):
                    # Not the method of an SSL socket: that takes its state from under the thread.
                    socket.socket.shutdown(self._socket, socket.SHUT_RDWR)

    def run(self) -> Answer:
        """Resolve, check, connect, send, read."""
        from http.client import HTTPException  # noqa: PLC0415 - most daemons never need it

        try:
            with self._connected(self._addresses()) as plain, self._secured(plain) as stream:
                return self._exchanged(stream)
        except ssl.SSLError as error:
            said = getattr(error, "verify_message", "") or (error.reason or "").replace("_", " ")
            raise ExchangeError(f"TLS failed: {said.lower() or 'the peer broke it off'}") from error
        except TimeoutError:
            raise
        except HTTPException as error:  # its text may hold what the peer repeats of the request
            raise ExchangeError("the answer is no HTTP, or breaks off") from error
        except OSError as error:
            raise ExchangeError(
                f"no connection: {error.strerror or type(error).__name__}"
            ) from error

    def _addresses(self) -> list[_Place]:
        """Return what the name leads to. One refused address is enough: the name is not honest."""
        target = self._request.target
        try:
            found = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
        except (socket.gaierror, UnicodeError) as error:
            raise ExchangeError(f"the name {target.host} cannot be resolved") from error
        addresses: list[_Place]
        addresses = [(family, str(place[0])) for family, _, _, _, place in found]
        for _, text in addresses:
            one = ipaddress.ip_address(text)
            if why := http_policy.address_refusal(one):
                raise ExchangeError(f"{target.host} leads to {text}: {why}")
            if self._request.guarded and target.scheme == "http" and not one.is_loopback:
                raise ExchangeError(
                    f"{target.host} leads to {text}: the key is sent there by https only"
                )
        return addresses

    def _connected(self, addresses: list[_Place]) -> socket.socket:
        fault: OSError | None = None
        for family, text in addresses:
            one = socket.socket(family, socket.SOCK_STREAM)
            one.settimeout(self._patience)
            try:
                self._hold(one)
                # The address itself, not its name: that may lead elsewhere by now.
                one.connect((text, self._request.target.port))
            except OSError as error:
                one.close()
                fault = error
            else:
                return one
        raise fault or ExchangeError(f"the name {self._request.target.host} leads nowhere")

    def _secured(self, plain: socket.socket) -> socket.socket:
        if self._request.target.scheme == "http":
            return plain
        host = self._request.target.host
        context = ssl.create_default_context()
        return context.wrap_socket(plain, server_hostname=host, do_handshake_on_connect=False)

    def _hold(self, one: socket.socket) -> None:
        with self._lock:
            if self._stopped:
                raise TimeoutError
            self._socket = one

    def _exchanged(self, stream: socket.socket) -> Answer:
        from http.client import HTTPConnection  # noqa: PLC0415 - as above

        self._hold(stream)
        if isinstance(stream, ssl.SSLSocket):
            stream.do_handshake()
        request = self._request
        connection = HTTPConnection(request.target.host, request.target.port)
        connection.sock = stream
        headers = {"Host": request.target.authority, "Connection": "close", **request.headers}
        connection.request("POST", request.target.path, request.body, headers)
        response = connection.getresponse()
        with response:
            if not 200 <= response.status < 300:
                return Answer(response.status)
            body = response.read(request.limit + 1)
            if len(body) <= request.limit and response.length:
                raise ExchangeError("the answer breaks off")
            return Answer(response.status, body[: request.limit], len(body) > request.limit)
