"""The Unix socket: lines in, lines out. What a line means is for dispatch to know.

Also here: another socket in the place of one whose name was deleted, and the end of serving, with
requests in flight finished.
"""

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from hookd.board import Link
from hookd.core.deliveries import Sender, sender_in
from hookd.dispatch import Dispatcher
from hookd.door import BACKLOG
from hookd.journal import LOG
from hookd.peers import Doorkeeper, pid_of
from hookd.road import Answered
from hookd.wire import json_text, jsonrpc

LIMIT = 16 * 1024 * 1024
"""Bytes of one message, a line or a payload; asyncio's own limit of 64 KiB would let guards be
passed by padding."""

ACCEPTED = b'{"jsonrpc":"2.0","method":"hooks.accepted"}\n'
_STATUS = 1_000_000
"""Bytes of a status line's payload: the client sends some kB, and it is read between answers."""

_WITH_BODY = ("hooks.dispatch", "session.statusLine")
END = b"\x1e"
"""Ends a payload: RFC 7464's record separator, which no JSON text holds."""

_BEHIND = 65_536
"""Bytes that may wait for a watcher, beside what the socket itself holds; then it is too slow."""

_LAST_WORDS = 5
"""Seconds that one which is dropped gets to read why."""

_MOST = 500
"""Connections at a time. Files are limited, and hooks need theirs: where more come, those go that
have said nothing for longest."""

_QUIET = 2.0
"""Seconds without a word that make a connection one that may go; a hook speaks as it connects."""

PATIENCE = 10
"""Seconds that requests in flight get when the daemon ends."""


class TooLongError(Exception):
    """A message is longer than LIMIT; it has been read to its end and thrown away."""


@dataclass(eq=False)
class _Connection(Link):
    """A connection to which lines can be sent at any time; nobody waits until they are read."""

    writer: asyncio.StreamWriter
    pid: int | None = None
    quiet_since: float = 0.0

    def push(self, line: bytes) -> bool:
        if self.writer.transport.get_write_buffer_size() > _BEHIND:
            return False
        self.writer.write(line + b"\n")
        return True

    def drop(self, line: bytes) -> None:
        self.writer.write(line + b"\n")
        self.writer.close()
        asyncio.get_running_loop().call_later(_LAST_WORDS, self.writer.transport.abort)


@dataclass(eq=False)
class Server:
    """Serves one listening socket until `stopping` is set."""

    dispatcher: Dispatcher
    stopping: asyncio.Event
    leave: Callable[[], None]
    _idle: dict["asyncio.Task[None]", _Connection] = field(default_factory=dict)
    _tasks: set["asyncio.Task[None]"] = field(default_factory=set)
    _listening: asyncio.Server | None = None
    _door: Doorkeeper = field(init=False)
    _group: asyncio.TaskGroup = field(init=False)

    async def serve(self, listener: socket.socket) -> None:
        """Serve; once told to stop, let idle clients go, finish what is in flight and return."""
        self._door = Doorkeeper(asyncio.get_running_loop().time)
        # A group of our own: what the streams would start by themselves ends in tracebacks.
        async with asyncio.TaskGroup() as self._group:
            await self.listen(listener)
            await self.stopping.wait()
            # First the name goes: who comes now must not find a socket that nobody accepts on.
            self.leave()
            if self._listening is not None:
                self._listening.close()
            await self._finish()

    async def listen(self, listener: socket.socket) -> None:
        """Listen there from now on, and nowhere else; connections that are open stay."""
        before = self._listening
        self._listening = await asyncio.start_unix_server(
            self._connected, sock=listener, limit=LIMIT, backlog=BACKLOG
        )
        if before is not None:
            before.close()

    def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        other = writer.get_extra_info("socket")
        if not self._door.admits(other):
            writer.transport.abort()
            return
        if len(self._tasks) >= _MOST:
            self._make_room()
        link = _Connection(writer, pid_of(other))
        task = self._group.create_task(self._connection(reader, link))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _make_room(self) -> None:
        """Let the one go that has been quiet for longest; who listens is not meant."""
        quiet, listens = asyncio.get_running_loop().time() - _QUIET, self.dispatcher.listeners.has
        for task, link in self._idle.items():
            if link.quiet_since > quiet:
                return  # and so are all behind it
            if not listens(link):
                del self._idle[task]
                task.cancel()
                return

    async def _finish(self) -> None:
        for task in self._idle:
            task.cancel()
        if self._tasks:
            _, late = await asyncio.wait(tuple(self._tasks), timeout=PATIENCE)
            for task in late:
                LOG.warning("a request was cut off at the end of the daemon")
                task.cancel()

    async def _connection(self, reader: asyncio.StreamReader, link: _Connection) -> None:
        try:
            await self._lines(reader, link)
        except OSError:
            pass  # the client has gone; nobody is left to tell
        except Exception:  # noqa: BLE001 - one connection must not end the others
            LOG.exception("a connection failed")
        finally:
            self.dispatcher.listeners.leave(link)
            link.writer.close()

    async def _lines(self, reader: asyncio.StreamReader, link: _Connection) -> None:
        writer = link.writer
        while not self.stopping.is_set():
            try:
                line = await self._waited(reader, link)
            except TooLongError:
                _send(writer, jsonrpc.error(None, _too_long()) + b"\n")
                continue
            if line is None:
                return
            if not line.strip():
                continue
            if await self._line(line, reader, link):
                return

    async def _waited(self, reader: asyncio.StreamReader, link: _Connection) -> bytes | None:
        """Return the next line, or None at the end; meanwhile the connection counts as idle."""
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 - a coroutine runs in a task
        self._idle[task] = link
        link.quiet_since = asyncio.get_running_loop().time()
        try:
            return await _until(reader, b"\n")
        except asyncio.IncompleteReadError as end:
            return end.partial or None
        finally:
            self._idle.pop(task, None)

    async def _line(self, line: bytes, reader: asyncio.StreamReader, link: _Connection) -> bool:
        """Answer one line; return whether the connection ends with that."""
        writer = link.writer
        try:
            message = jsonrpc.read(line)
        except jsonrpc.RpcError as error:
            _send(writer, jsonrpc.error(None, error) + b"\n")
            return False
        asked = _announced(message)
        if asked is None:
            answer = await jsonrpc.answer(message, lambda asked: self.dispatcher.call(asked, link))
            if answer is not None:
                _send(writer, answer + b"\n")
                await writer.drain()
            return False
        with suppress(OSError):  # the client has gone: what it asked is kept all the same
            _send(writer, ACCEPTED)
        if asked == "hooks.dispatch":
            answered = await self._event(message, reader, link)
        else:
            answered = await self._status(message, reader)
        if isinstance(answered, bytes):
            _send(writer, answered + b"\n")
            await writer.drain()
        else:
            await self._deliver(
                jsonrpc.result(message.get("id"), answered.answer), answered, writer
            )
        return True

    async def _deliver(self, line: bytes, answered: Answered, writer: asyncio.StreamWriter) -> None:
        """Send an answer and close; one that did not arrive is known not to have."""
        try:
            _send(writer, line + b"\n")
            await writer.drain()
            writer.close()
            await writer.wait_closed()
        except OSError:
            if answered.number and answered.answer != b"null":
                await self.dispatcher.lost(answered)

    async def _event(
        self, message: dict[str, Any], reader: asyncio.StreamReader, link: _Connection
    ) -> Answered | bytes:
        """Answer the event whose payload follows its line; bytes are an error's."""
        try:
            jsonrpc.request(message)
            params = message["params"]
            name, env = params.get("event", ""), params.get("env", {})
            if not isinstance(name, str) or not isinstance(env, dict):
                raise jsonrpc.RpcError(jsonrpc.INVALID_PARAMS, "event is a text, env an object")
            self.dispatcher.callers.learn(link.pid, env)
            closed = params.get("closed") is True
            return await self._judged(name, env, sender_in(params), reader, closed=closed)
        except Exception as failure:  # noqa: BLE001 - the edge where a failure becomes an answer
            return jsonrpc.error(message.get("id"), failure)

    async def _status(self, message: dict[str, Any], reader: asyncio.StreamReader) -> bytes:
        """Answer the status line whose payload follows its line."""
        try:
            asked = jsonrpc.request(message)
            body = await _until(reader, END)
            if len(body) > _STATUS:
                raise jsonrpc.RpcError(jsonrpc.INVALID_REQUEST, "a status has at most 1 MB")
            status = jsonrpc.read(body)
            params = {"status": status, "env": message["params"].get("env", {})}
            value = await self.dispatcher.call(replace(asked, params=params))
            return jsonrpc.result(asked.id, json_text.dump(value))
        except Exception as failure:  # noqa: BLE001 - the edge where a failure becomes an answer
            return jsonrpc.error(message.get("id"), failure)

    async def _judged(
        self,
        name: str,
        env: dict[str, object],
        sender: Sender | None,
        reader: asyncio.StreamReader,
        *,
        closed: bool,
    ) -> Answered:
        try:
            body = await _until(reader, END)
        except TooLongError:
            why = "the payload is longer than 16 MiB"
        except (asyncio.IncompleteReadError, OSError):
            # What came may be a beginning only: a client that died must not have it judged.
            # OSError: it was gone before the acknowledgement could be written.
            why = "the payload ended in its middle"
        else:
            return await self.dispatcher.event(name, env, body, sender, closed=closed)
        return await self.dispatcher.unread(name, env, why, closed=closed)


def _announced(message: Any) -> str | None:
    """Return the method whose payload follows its line, as the shims send it."""
    if not isinstance(message, dict) or message.get("method") not in _WITH_BODY:
        return None
    params = message.get("params")
    return message["method"] if isinstance(params, dict) and params.get("body") is True else None


def _too_long() -> jsonrpc.RpcError:
    return jsonrpc.RpcError(jsonrpc.INVALID_REQUEST, "a message has at most 16 MiB")


def _send(writer: asyncio.StreamWriter, data: bytes) -> None:
    """Send data. Raise OSError where nobody is there any more; uvloop has another name for it."""
    if writer.transport.is_closing():
        raise ConnectionResetError
    writer.write(data)


async def _until(reader: asyncio.StreamReader, end: bytes) -> bytes:
    """Return what comes before `end`. Raise TooLongError or IncompleteReadError."""
    try:
        return (await reader.readuntil(end))[: -len(end)]
    except asyncio.LimitOverrunError as over:
        skip = over.consumed
    while True:
        await reader.readexactly(skip)
        try:
            await reader.readuntil(end)
        except asyncio.LimitOverrunError as over:
            skip = over.consumed
        else:
            raise TooLongError
