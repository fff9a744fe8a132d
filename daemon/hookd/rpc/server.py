"""Socket server: connections, lines in and lines out, back pressure, and draining at the end.

The dispatcher answers calls, the event pipeline hook events.
"""

import asyncio
import os
import resource
import select
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import field, replace
from typing import Any

from hookd import json_text
from hookd.events.delivery_identity import sender_in
from hookd.events.protocol import PAYLOAD_END
from hookd.lazy_dataclass import dataclass
from hookd.log.logger import LOG
from hookd.pipeline.delivery import Received, ShimTerms
from hookd.pipeline.pipeline import EventPipeline
from hookd.pipeline.response import EventResponse
from hookd.rpc import jsonrpc
from hookd.rpc.bounded_reader import Inbox, Intake, StalledError, TooLongError
from hookd.rpc.dispatcher import Dispatcher
from hookd.rpc.peer_credentials import PeerGate
from hookd.rpc.subscriptions import Subscriber
from hookd.system.socket_peer import pid_of

ACCEPTED = b'{"jsonrpc":"2.0","method":"hooks.accepted"}\n'
_MAX_STATUS_BYTES = 1_000_000
"""Limit of a status line's payload; the client sends some kB."""

_WITH_BODY = ("hooks.dispatch", "session.statusLine")
_MAX_BUFFERED_BYTES = 512 * 1024
"""Bytes that may wait for a subscriber, beside those in the socket's buffer: more than the first
notifications of 500 sessions and 500 events, which arrive while it still starts."""

_CLOSE_TIMEOUT_S = 5
"""How long a slow subscriber has to read why its connection is closed."""

_IDLE_READ_TIMEOUT_S = 5.0
"""How long a client may read nothing of an answer before its connection is aborted."""

_READ_TIMEOUT_S = 30.0
"""How long a client may take in all to read an answer."""

_MAX_CONNECTIONS = 1_000
"""More connections wait to be accepted, and idle ones are closed for them."""

_MIN_CONNECTIONS = 16
_RESERVED_FILES = 64
"""Files that the daemon itself needs. Connections get half of the others, hooks the other half."""

_STREAM_BUFFER_BYTES = 65_536
"""Bytes of a connection that may wait unread."""

_UNREAD_BYTES = 16_384
"""Bytes of an answer that may wait unread without a limit of time."""

_ACCEPT_BATCH = 50
"""Connections that are accepted before other work of the loop runs."""

_ACCEPT_RETRY_INTERVAL_S = 0.1
"""Time until it accepts again after there was no room."""

_MAX_DEADLINE_S = 86_400
"""Longest deadline of a shim that is believed."""

_MIN_IDLE_S = 0.5
"""How long a connection must be idle before it may be closed; a hook sends as it connects."""

DRAIN_TIMEOUT_S = 10
"""How long requests in flight may take when the daemon ends."""


def max_connections(files: int) -> int:
    """Return how many connections a process with so many files may have."""
    if files == resource.RLIM_INFINITY:
        return _MAX_CONNECTIONS
    return min(_MAX_CONNECTIONS, max(_MIN_CONNECTIONS, (files - _RESERVED_FILES) // 2))


@dataclass(eq=False)
class _Connection(Subscriber):
    """A connection to which lines can be sent at any time, without waiting until they are read."""

    writer: asyncio.StreamWriter
    pid: int | None = None
    quiet_since: float = 0.0

    def send(self, line: bytes) -> bool:
        if self.writer.transport.is_closing():  # it is removed from its topics when its task ends
            return True
        if self.writer.transport.get_write_buffer_size() > _MAX_BUFFERED_BYTES:
            return False
        self.writer.write(line + b"\n")
        return True

    def close_with(self, line: bytes) -> None:
        self.writer.write(line + b"\n")
        self.writer.close()
        asyncio.get_running_loop().call_later(_CLOSE_TIMEOUT_S, self.writer.transport.abort)

    def hung_up(self) -> bool:
        """Return whether the client has closed the connection, or its process has ended.

        By the system call: an event loop sees no difference to a client that only sends no more.
        """
        if self.writer.transport.is_closing():
            return True
        poll = select.poll()
        poll.register(self.writer.get_extra_info("socket").fileno(), 0)
        return bool(poll.poll(0))  # a closed connection or an error is always reported


@dataclass(eq=False)
class Server:
    """Serves one listening socket until `stopping` is set; `most` connections at a time."""

    dispatcher: Dispatcher
    pipeline: EventPipeline
    stopping: asyncio.Event
    unlink: Callable[[], None]
    report_limit: Callable[[str, str], None]
    most: int = _MAX_CONNECTIONS
    _idle: dict["asyncio.Task[None]", _Connection] = field(default_factory=dict)
    _tasks: set["asyncio.Task[None]"] = field(default_factory=set)
    _listener: socket.socket | None = None
    _gate: PeerGate = field(init=False)
    _intake: Intake = field(init=False)
    _group: asyncio.TaskGroup = field(init=False)

    async def serve(self, listener: socket.socket) -> None:
        """Serve until `stopping` is set; then close idle connections, finish requests."""
        self._gate = PeerGate(asyncio.get_running_loop().time)
        self._intake = Intake(self.report_limit)
        # A task group: tasks that the streams start on their own end in tracebacks.
        async with asyncio.TaskGroup() as self._group:
            looking = self._group.create_task(self._intake.run())
            await self.listen(listener)
            await self.stopping.wait()
            if self.pipeline.approvals:
                self.pipeline.approvals.stop()
            # First the socket file: no client must find a socket that accepts no connection.
            self.unlink()
            self._stop_listening()
            await self._finish()
            looking.cancel()

    async def listen(self, listener: socket.socket) -> None:
        """Listen on this socket instead of the last one; open connections stay."""
        self._stop_listening()
        listener.setblocking(False)
        self._listener = listener
        asyncio.get_running_loop().add_reader(listener, self._accept, listener)

    def _stop_listening(self) -> None:
        """Accept no more connections."""
        if self._listener is not None:
            asyncio.get_running_loop().remove_reader(self._listener)
            self._listener.close()
            self._listener = None

    def _accept(self, listener: socket.socket) -> None:
        """Accept waiting connections while there is room; the others wait in the kernel.

        asyncio's own server accepts without bounds, and drops clients if files run out.
        """
        for _ in range(_ACCEPT_BATCH):
            if len(self._tasks) >= self.most and not self._make_room():
                self._wait(listener, f"{self.most} are open; new ones wait")
                return
            try:
                link, _ = listener.accept()
            except (BlockingIOError, ConnectionAbortedError):
                self._intake.crowded = False
                return
            except OSError as error:
                self._wait(listener, f"a connection cannot be accepted: {error.strerror}")
                return
            self._connected(link)

    def _wait(self, listener: socket.socket, why: str) -> None:
        """Stop accepting for a moment."""
        if not self._intake.crowded:
            self.report_limit("connections", why)
        self._intake.crowded = True
        loop = asyncio.get_running_loop()
        loop.remove_reader(listener)
        loop.call_later(_ACCEPT_RETRY_INTERVAL_S, self._resume, listener)

    def _resume(self, listener: socket.socket) -> None:
        if listener is self._listener:
            asyncio.get_running_loop().add_reader(listener, self._accept, listener)

    def _connected(self, other: socket.socket) -> None:
        if not self._gate.admits(other):
            other.close()
            return
        task = self._group.create_task(self._connection(other))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _make_room(self) -> bool:
        """Close the connection that has been idle for longest, subscribers exempt; if there is one.

        Return whether there was.
        """
        quiet, listens = (
            asyncio.get_running_loop().time() - _MIN_IDLE_S,
            self.dispatcher.subscriptions.has,
        )
        for task, link in self._idle.items():
            if link.quiet_since > quiet:
                return False  # and so are all behind it
            if not listens(link):
                del self._idle[task]
                task.cancel()
                return True
        return False

    async def _finish(self) -> None:
        for task in self._idle:
            task.cancel()
        if self._tasks:
            _, late = await asyncio.wait(tuple(self._tasks), timeout=DRAIN_TIMEOUT_S)
            for task in late:
                LOG.warning("request cancelled at the end of the daemon")
                task.cancel()

    async def _connection(self, other: socket.socket) -> None:
        try:
            reader, writer = await _streams(other)
        except OSError:
            other.close()
            return
        link, inbox = _Connection(writer, pid_of(other)), Inbox(reader, self._intake)
        try:
            await self._lines(inbox, link)
        except OSError:
            pass  # the client is gone
        except Exception:  # noqa: BLE001 - one connection must not end the others
            LOG.exception("connection failed")
        finally:
            self.dispatcher.subscriptions.remove(link)
            inbox.close()
            writer.close()
            if writer.transport.get_write_buffer_size():  # it closes once that is read
                asyncio.get_running_loop().call_later(_IDLE_READ_TIMEOUT_S, writer.transport.abort)

    async def _lines(self, inbox: Inbox, link: _Connection) -> None:
        writer = link.writer
        while not self.stopping.is_set():
            if inbox.pending:
                await asyncio.sleep(0)  # other connections go between the lines of this one
            try:
                line = await self._waited(inbox, link)
            except TooLongError:
                await self._send(writer, jsonrpc.error(None, _too_long()) + b"\n")
                continue
            except StalledError as late:
                why = jsonrpc.RpcError(jsonrpc.INVALID_REQUEST, f"the message did not end: {late}")
                await self._send(writer, jsonrpc.error(None, why) + b"\n")
                return
            if line is None:
                return
            if not line.strip():
                continue
            if await self._line(line, inbox, link):
                return

    async def _waited(self, inbox: Inbox, link: _Connection) -> bytes | None:
        """Return the next line, or None at the end; meanwhile the connection counts as idle."""
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 - a coroutine runs in a task
        self._idle[task] = link
        link.quiet_since = asyncio.get_running_loop().time()
        try:
            return await inbox.until(b"\n")
        except asyncio.IncompleteReadError as end:
            return end.partial or None
        finally:
            self._idle.pop(task, None)

    async def _line(self, line: bytes, inbox: Inbox, link: _Connection) -> bool:
        """Answer one line; return whether the connection ends with that."""
        writer = link.writer
        try:
            message = jsonrpc.read(line)
        except jsonrpc.RpcError as error:
            await self._send(writer, jsonrpc.error(None, error) + b"\n")
            return False
        asked = _announced(message)
        if asked is None:

            async def call(one: jsonrpc.Request) -> Any:
                if isinstance(message, list):
                    await asyncio.sleep(0)  # hooks go between the requests of a batch
                return await self.dispatcher.call(one, link)

            answer = await jsonrpc.answer(message, call)
            if answer is not None:
                await self._send(writer, answer + b"\n")
            return False
        gone = not await self._acknowledged(writer)
        if asked == "hooks.dispatch":
            response = await self._event(message, inbox, link, gone=gone)
        else:
            response = await self._status(message, inbox)
        if isinstance(response, bytes):
            await self._send(writer, response + b"\n")
        else:
            await self._deliver(
                jsonrpc.result(message.get("id"), response.answer), response, writer
            )
        return True

    async def _acknowledged(self, writer: asyncio.StreamWriter) -> bool:
        """Acknowledge a message; return whether its client is still connected.

        By the system call: uvloop writes later, and notices a closed connection later.
        """
        sent = 0
        if writer.transport.is_closing():  # uvloop has no socket then
            return False
        try:
            if not writer.transport.get_write_buffer_size():
                sent = os.write(writer.get_extra_info("socket").fileno(), ACCEPTED)
        except BlockingIOError:
            pass  # the transport waits for room
        except OSError:
            return False
        if sent < len(ACCEPTED):
            with suppress(OSError):
                await self._send(writer, ACCEPTED[sent:])
        return not writer.transport.is_closing()

    async def _send(self, writer: asyncio.StreamWriter, data: bytes, *, last: bool = False) -> None:
        """Send data; with `last`, close the connection behind it.

        Raise OSError where the client is gone, or reads nothing for `_IDLE_READ_TIMEOUT_S` seconds.
        """
        if writer.transport.is_closing():  # uvloop has another error for it
            raise ConnectionResetError
        small = max(len(data), writer.transport.get_write_buffer_size()) <= _UNREAD_BYTES
        writer.write(data)
        try:
            if not small:  # the transport would not wait for a small one
                await _read(writer)
            if last:
                async with asyncio.timeout(_IDLE_READ_TIMEOUT_S):
                    writer.close()
                    await writer.wait_closed()
        except TimeoutError:
            what = f"a client did not read its answer for {_IDLE_READ_TIMEOUT_S:g} s"
            self.report_limit("unread answers", f"{what}; its connection was closed")
            writer.transport.abort()
            raise ConnectionAbortedError from None

    async def _deliver(
        self, line: bytes, response: EventResponse, writer: asyncio.StreamWriter
    ) -> None:
        """Send an answer and close the connection; record an answer that did not arrive."""
        try:
            await self._send(writer, line + b"\n", last=True)
        except OSError:
            if response.number and not response.silent:
                await self.pipeline.answer_lost(response)

    async def _event(
        self, message: dict[str, Any], inbox: Inbox, link: _Connection, *, gone: bool
    ) -> EventResponse | bytes:
        """Answer the event whose payload follows its line; bytes are an error's.

        An event whose client has `gone` is recorded, too.
        """
        try:
            jsonrpc.request(message)
            params = message["params"]
            name, env = params.get("event", ""), params.get("env", {})
            client = params.get("client", "")
            if not (isinstance(name, str) and isinstance(client, str) and isinstance(env, dict)):
                why = "event and client are texts, env is an object"
                raise jsonrpc.RpcError(jsonrpc.INVALID_PARAMS, why)
            self.dispatcher.callers.learn(link.pid, env, client)
            fails_closed, deadline = params.get("closed") is True, _seconds(params.get("deadline"))
            terms = ShimTerms(fails_closed, deadline, link.pid, gone)
            received = Received(
                name,
                env,
                terms=terms,
                sender=sender_in(params),
                hung_up=link.hung_up,
                client=client,
            )
            return await self._respond(received, inbox)
        except Exception as failure:  # noqa: BLE001 - the edge where a failure becomes an answer
            return jsonrpc.error(message.get("id"), failure)

    async def _status(self, message: dict[str, Any], inbox: Inbox) -> bytes:
        """Answer the status line whose payload follows its line."""
        try:
            asked = jsonrpc.request(message)
            body = await inbox.until(PAYLOAD_END, begun=True)
            if len(body) > _MAX_STATUS_BYTES:
                raise jsonrpc.RpcError(jsonrpc.INVALID_REQUEST, "a status has at most 1 MB")
            status = jsonrpc.read(body)
            params = {"status": status, "env": message["params"].get("env", {})}
            value = await self.dispatcher.call(replace(asked, params=params))
            return jsonrpc.result(asked.id, json_text.dump(value))
        except Exception as failure:  # noqa: BLE001 - the edge where a failure becomes an answer
            return jsonrpc.error(message.get("id"), failure)

    async def _respond(self, received: Received, inbox: Inbox) -> EventResponse:
        """Read an event's payload, and run the pipeline on it."""
        code = "UNREADABLE"
        try:
            body = await inbox.until(PAYLOAD_END, begun=True)
        except TooLongError:
            reason = "the payload is longer than 16 MiB"
        except StalledError as late:
            # The rest may still come: the shim has it judged then.
            reason, code = f"the payload did not arrive: {late}", "FAILED"
        except (asyncio.IncompleteReadError, OSError):
            # The bytes may be a beginning only: the event of a dead client must not be judged.
            # OSError: it was gone before the acknowledgement could be written.
            reason = "the payload ended in its middle"
        else:
            return await self.pipeline.run(replace(received, body=body))
        return await self.pipeline.unreadable(received, reason, code)


async def _read(writer: asyncio.StreamWriter) -> None:
    """Return once the client has read most of the data.

    Raise TimeoutError after `_READ_TIMEOUT_S`, or `_IDLE_READ_TIMEOUT_S` without progress.
    """
    size = writer.transport.get_write_buffer_size
    async with asyncio.timeout(_READ_TIMEOUT_S):
        left = size() + 1
        while size() < left:
            left = size()
            with suppress(TimeoutError):
                async with asyncio.timeout(_IDLE_READ_TIMEOUT_S):
                    return await writer.drain()
    raise TimeoutError


def _seconds(value: object) -> float:
    """Return the seconds that a shim says it waits; 0 if it does not say."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0.0
    return float(value) if 0 < value < _MAX_DEADLINE_S else 0.0


def _announced(message: Any) -> str | None:
    """Return the method whose payload follows its line, as the shims send it."""
    if not isinstance(message, dict) or message.get("method") not in _WITH_BODY:
        return None
    params = message.get("params")
    return message["method"] if isinstance(params, dict) and params.get("body") is True else None


def _too_long() -> jsonrpc.RpcError:
    return jsonrpc.RpcError(jsonrpc.INVALID_REQUEST, "a message has at most 16 MiB")


async def _streams(
    other: socket.socket,
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Return the streams of a connection that was accepted."""
    loop = asyncio.get_running_loop()
    other.setblocking(False)
    reader = asyncio.StreamReader(limit=_STREAM_BUFFER_BYTES, loop=loop)
    protocol = asyncio.StreamReaderProtocol(reader, loop=loop)
    transport, _ = await loop.connect_accepted_socket(lambda: protocol, other)
    return reader, asyncio.StreamWriter(transport, protocol, reader, loop)
