"""The Unix socket: lines in, lines out. What a line means is for dispatch to know.

Also here: another socket in the place of one whose name was deleted, and the end of serving, with
requests in flight finished.
"""

import asyncio
import os
import resource
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from hookd import json_text
from hookd.events.delivery_identity import sender_in
from hookd.events.protocol import PAYLOAD_END
from hookd.log.logger import LOG
from hookd.pipeline.delivery import Received, ShimTerms
from hookd.pipeline.pipeline import EventPipeline
from hookd.pipeline.response import EventResponse
from hookd.rpc import jsonrpc
from hookd.rpc.bounded_reader import Inbox, Intake, StalledError, TooLongError
from hookd.rpc.dispatcher import Dispatcher
from hookd.rpc.peer_credentials import PeerGate, pid_of
from hookd.rpc.subscriptions import Subscriber

ACCEPTED = b'{"jsonrpc":"2.0","method":"hooks.accepted"}\n'
_STATUS = 1_000_000
"""Bytes of a status line's payload: the client sends some kB, and it is read between answers."""

_WITH_BODY = ("hooks.dispatch", "session.statusLine")
_BEHIND = 65_536
"""Bytes that may wait for a watcher, beside what the socket itself holds; then it is too slow."""

_LAST_WORDS = 5
"""Seconds that one which is dropped gets to read why."""

_UNREAD = 5.0
"""Seconds without a byte that a client reads of an answer. Then its connection is aborted."""

_SLOWEST = 30.0
"""Seconds that a client may take in all to read an answer."""

_MOST = 1_000
"""Connections at a time. More wait to be accepted, and the idle ones are closed for them."""

_LEAST = 16
_RESERVED = 64
"""Files that the daemon itself needs. Connections get half of the others, hooks the other half."""

_BUFFER = 65_536
"""Bytes of a connection that may wait unread."""

_AT_ONCE = 50
"""Connections that are accepted before others have their turn."""

_AGAIN = 0.1
"""Seconds between two tries to accept where there was no room."""

_LONGEST = 86_400
"""Seconds that a shim may say it waits."""

_QUIET = 0.5
"""Seconds without a word that make a connection one that may go; a hook speaks as it connects."""

PATIENCE = 10
"""Seconds that requests in flight get when the daemon ends."""


def most_connections(files: int) -> int:
    """Return how many connections a process with so many files may have."""
    if files == resource.RLIM_INFINITY:
        return _MOST
    return min(_MOST, max(_LEAST, (files - _RESERVED) // 2))


@dataclass(eq=False)
class _Connection(Subscriber):
    """A connection to which lines can be sent at any time; nobody waits until they are read."""

    writer: asyncio.StreamWriter
    pid: int | None = None
    quiet_since: float = 0.0

    def send(self, line: bytes) -> bool:
        if self.writer.transport.get_write_buffer_size() > _BEHIND:
            return False
        self.writer.write(line + b"\n")
        return True

    def close_with(self, line: bytes) -> None:
        self.writer.write(line + b"\n")
        self.writer.close()
        asyncio.get_running_loop().call_later(_LAST_WORDS, self.writer.transport.abort)


@dataclass(eq=False)
class Server:
    """Serves one listening socket until `stopping` is set; `most` connections at a time."""

    dispatcher: Dispatcher
    pipeline: EventPipeline
    stopping: asyncio.Event
    leave: Callable[[], None]
    limited: Callable[[str, str], None]
    most: int = _MOST
    _idle: dict["asyncio.Task[None]", _Connection] = field(default_factory=dict)
    _tasks: set["asyncio.Task[None]"] = field(default_factory=set)
    _listener: socket.socket | None = None
    _door: PeerGate = field(init=False)
    _intake: Intake = field(init=False)
    _group: asyncio.TaskGroup = field(init=False)

    async def serve(self, listener: socket.socket) -> None:
        """Serve; once told to stop, let idle clients go, finish what is in flight and return."""
        self._door = PeerGate(asyncio.get_running_loop().time)
        self._intake = Intake(self.limited)
        # A group of our own: what the streams would start by themselves ends in tracebacks.
        async with asyncio.TaskGroup() as self._group:
            looking = self._group.create_task(self._intake.run())
            await self.listen(listener)
            await self.stopping.wait()
            # First the name goes: who comes now must not find a socket that nobody accepts on.
            self.leave()
            self._deafen()
            await self._finish()
            looking.cancel()

    async def listen(self, listener: socket.socket) -> None:
        """Listen there from now on, and nowhere else; connections that are open stay."""
        self._deafen()
        listener.setblocking(False)
        self._listener = listener
        asyncio.get_running_loop().add_reader(listener, self._accept, listener)

    def _deafen(self) -> None:
        """Accept no more."""
        if self._listener is not None:
            asyncio.get_running_loop().remove_reader(self._listener)
            self._listener.close()
            self._listener = None

    def _accept(self, listener: socket.socket) -> None:
        """Accept who waits, as far as there is room; the others wait in the kernel meanwhile.

        Not by asyncio's server: it accepts without bounds, and drops clients where files run out.
        """
        for _ in range(_AT_ONCE):
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
        """Accept again in a moment."""
        if not self._intake.crowded:
            self.limited("connections", why)
        self._intake.crowded = True
        loop = asyncio.get_running_loop()
        loop.remove_reader(listener)
        loop.call_later(_AGAIN, self._resume, listener)

    def _resume(self, listener: socket.socket) -> None:
        if listener is self._listener:
            asyncio.get_running_loop().add_reader(listener, self._accept, listener)

    def _connected(self, other: socket.socket) -> None:
        if not self._door.admits(other):
            other.close()
            return
        task = self._group.create_task(self._connection(other))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _make_room(self) -> bool:
        """Close the connection that has been idle for longest, subscribers exempt; if there is one.

        Return whether there is.
        """
        quiet, listens = (
            asyncio.get_running_loop().time() - _QUIET,
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
            _, late = await asyncio.wait(tuple(self._tasks), timeout=PATIENCE)
            for task in late:
                LOG.warning("a request was cut off at the end of the daemon")
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
            pass  # the client has gone; nobody is left to tell
        except Exception:  # noqa: BLE001 - one connection must not end the others
            LOG.exception("a connection failed")
        finally:
            self.dispatcher.subscriptions.remove(link)
            inbox.close()
            writer.close()
            if writer.transport.get_write_buffer_size():  # it closes once that is read
                asyncio.get_running_loop().call_later(_UNREAD, writer.transport.abort)

    async def _lines(self, inbox: Inbox, link: _Connection) -> None:
        writer = link.writer
        while not self.stopping.is_set():
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
                await asyncio.sleep(0)  # hooks go between the requests of a batch
                return await self.dispatcher.call(one, link)

            answer = await jsonrpc.answer(message, call)
            if answer is not None:
                await self._send(writer, answer + b"\n")
            return False
        gone = not await self._acknowledged(writer)
        if asked == "hooks.dispatch":
            answered = await self._event(message, inbox, link, gone=gone)
        else:
            answered = await self._status(message, inbox)
        if isinstance(answered, bytes):
            await self._send(writer, answered + b"\n")
        else:
            await self._deliver(
                jsonrpc.result(message.get("id"), answered.answer), answered, writer
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

        Raise OSError where the client is gone, or reads nothing for `_UNREAD` seconds.
        """
        if writer.transport.is_closing():  # uvloop has another error for it
            raise ConnectionResetError
        writer.write(data)
        try:
            await _read(writer)
            if last:
                async with asyncio.timeout(_UNREAD):
                    writer.close()
                    await writer.wait_closed()
        except TimeoutError:
            why = f"a client did not read its answer for {_UNREAD:g} s; its connection was closed"
            self.limited("unread answers", why)
            writer.transport.abort()
            raise ConnectionAbortedError from None

    async def _deliver(
        self, line: bytes, response: EventResponse, writer: asyncio.StreamWriter
    ) -> None:
        """Send an answer and close; one that did not arrive is known not to have."""
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
            if not isinstance(name, str) or not isinstance(env, dict):
                raise jsonrpc.RpcError(jsonrpc.INVALID_PARAMS, "event is a text, env an object")
            self.dispatcher.callers.learn(link.pid, env)
            fails_closed, deadline = params.get("closed") is True, _seconds(params.get("deadline"))
            terms = ShimTerms(fails_closed, deadline, link.pid, gone)
            received = Received(name, env, terms=terms, sender=sender_in(params))
            return await self._respond(received, inbox)
        except Exception as failure:  # noqa: BLE001 - the edge where a failure becomes an answer
            return jsonrpc.error(message.get("id"), failure)

    async def _status(self, message: dict[str, Any], inbox: Inbox) -> bytes:
        """Answer the status line whose payload follows its line."""
        try:
            asked = jsonrpc.request(message)
            body = await inbox.until(PAYLOAD_END, begun=True)
            if len(body) > _STATUS:
                raise jsonrpc.RpcError(jsonrpc.INVALID_REQUEST, "a status has at most 1 MB")
            status = jsonrpc.read(body)
            params = {"status": status, "env": message["params"].get("env", {})}
            value = await self.dispatcher.call(replace(asked, params=params))
            return jsonrpc.result(asked.id, json_text.dump(value))
        except Exception as failure:  # noqa: BLE001 - the edge where a failure becomes an answer
            return jsonrpc.error(message.get("id"), failure)

    async def _respond(self, received: Received, inbox: Inbox) -> EventResponse:
        """Read an event's payload, and run the pipeline on it."""
        try:
            body = await inbox.until(PAYLOAD_END, begun=True)
        except TooLongError:
            reason = "the payload is longer than 16 MiB"
        except StalledError as late:
            reason = f"the payload did not arrive: {late}"
        except (asyncio.IncompleteReadError, OSError):
            # The bytes may be a beginning only: the event of a dead client must not be judged.
            # OSError: it was gone before the acknowledgement could be written.
            reason = "the payload ended in its middle"
        else:
            return await self.pipeline.run(replace(received, body=body))
        return await self.pipeline.unreadable(received, reason)


async def _read(writer: asyncio.StreamWriter) -> None:
    """Return once most of what was sent is read; a slow client has `_SLOWEST` seconds for it.

    Raise TimeoutError where it takes longer, or nothing is read for `_UNREAD` seconds.
    """
    size = writer.transport.get_write_buffer_size
    async with asyncio.timeout(_SLOWEST):
        left = size() + 1
        while size() < left:
            left = size()
            with suppress(TimeoutError):
                async with asyncio.timeout(_UNREAD):
                    return await writer.drain()
    raise TimeoutError


def _seconds(value: object) -> float:
    """Return the seconds that a shim says it waits; 0 if it does not say."""
    sane = isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < _LONGEST
    return float(value) if sane and isinstance(value, int | float) else 0.0


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
    reader = asyncio.StreamReader(limit=_BUFFER, loop=loop)
    protocol = asyncio.StreamReaderProtocol(reader, loop=loop)
    transport, _ = await loop.connect_accepted_socket(lambda: protocol, other)
    return reader, asyncio.StreamWriter(transport, protocol, reader, loop)
