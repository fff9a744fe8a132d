"""Client of the daemon: JSON-RPC calls and subscriptions over its Unix socket."""

import os
import socket
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import click

from hookd import paths
from hookd.cli.lib.errors import Problem
from hookd.display.amounts import local_time
from hookd.socket_client.errors import (
    NO_METHOD,
    START,
    RefusedError,
    SocketError,
    State,
    no_daemon,
    refused,
    state_of,
)
from hookd.socket_client.messages import (
    LIMIT,
    Message,
    Notification,
    Params,
    is_notification,
    notification,
    read_message,
    request,
    too_long,
)
from hookd.system import stop_marker
from hookd.system.socket_peer import admitted, is_own_socket, uid_of
from hookd.system.stop_marker import Stop

__all__ = [
    "NO_METHOD",
    "START",
    "Notification",
    "Refused",
    "State",
    "Unanswered",
    "absent",
    "call",
    "call_once",
    "converse",
    "identity",
    "probe",
    "stop_sentence",
    "subscribe",
]

_SILENCE_S = 3.0
"""Silence after which a call checks whether the daemon is alive."""


class Refused(Problem):
    """An error of the daemon; `code` is the domain's word for it, or the number."""

    def __init__(self, sentence: str, step: str, code: str) -> None:
        super().__init__(sentence, step)
        self.code = code


class Unanswered(Problem):
    """The connection ended before an answer: the call may have been carried out, or not."""


class _DownError(Exception):
    def __init__(self, state: State, *, closed: bool = False) -> None:
        super().__init__(state)
        self.state = state
        self.closed = closed


def probe(socket_path: Path, patience: float = 1.0) -> State:
    """Return the state of a socket. Any answer, also an error, means LISTENING."""
    ping = request(1, "daemon.status", {})
    try:
        with _dial(socket_path, patience) as wire:
            wire.sendall(ping)
            next(_lines(wire, lambda: False))
    except _DownError as down:
        return down.state
    return State.LISTENING


def call(method: str, params: Params | None = None) -> Any:
    """Return a method's result. Raise Refused for an error of the daemon, else Problem.

    It waits as long as the daemon is alive: a query may be slow, a hung daemon is an error.
    """
    with closing(converse(method, params)) as messages:
        return next(messages)


def call_once(method: str, params: Mapping[str, Any]) -> Any:
    """Return the result of a method that adds something; `params` has the call's `key`.

    Without an answer it is called once more with the same key, which adds nothing twice. Raise
    Problem, with the key, if that has no answer either.
    """
    try:
        return call(method, params)
    except Unanswered:
        pass
    try:
        return call(method, params)
    except Refused:
        raise
    except Problem as problem:
        sentence = f"The daemon ended before it answered {method}, and none answers since."
        step = f"{problem.step}; then the same with the key {params['key']} does it only once"
        raise Unanswered(sentence, step) from None


def converse(method: str, params: Params | None = None) -> Generator[Any, None, None]:
    """Yield a method's result, or raise as `call` does; then each notification.

    It ends with the connection. After the result it waits without a limit.
    """
    params = {} if params is None else params
    if not isinstance(params, Sequence) and "env" not in params:
        params = {"env": identity(), **params}
    try:
        yield from _converse(method, params)
    except RefusedError as error:
        raise Refused(error.sentence, error.step, error.code) from None
    except SocketError as error:
        raise Problem(error.sentence, error.step) from None


def _converse(method: str, params: Params) -> Generator[Any, None, None]:
    path = paths.paths().socket
    line = request(1, method, params)
    answered = False
    try:
        with _dial(path, _SILENCE_S) as wire:
            wire.sendall(line)
            messages = (
                read_message(line, path)
                for line in _lines(wire, lambda: probe(path, _SILENCE_S) is State.LISTENING)
            )
            answer, early = _answer(messages)
            if "error" in answer:
                raise refused(method, answer["error"], _command)
            yield answer.get("result")
            answered = True
            wire.settimeout(None)
            yield from early
            yield from filter(is_notification, messages)
    except _DownError as down:
        if answered:
            return
        raise _unanswered(method) if down.closed else _undone(absent(down.state)) from None


def subscribe(
    method: str, params: Mapping[str, Any] | None = None
) -> tuple[Any, Iterator[Notification]]:
    """Return a method's result, and the notifications that follow it, as they arrive.

    Raise Problem if there is no result, as `call` does. The iterator ends when the daemon closes
    the connection; the connection is closed when the iterator is discarded.
    """
    messages = converse(method, params)
    result = next(messages)
    return result, map(notification, messages)


def identity() -> dict[str, str]:
    """Return the caller's identity; outside of a session with the nearest folder with `.git`."""
    try:
        env = paths.identity()
    except OSError:
        step = "cd to another folder, then run the command again"
        raise Problem("The current folder no longer exists.", step) from None
    if not env.get("CLAUDE_PROJECT_DIR"):
        here = Path(env["CWD"]).resolve()
        root = next((dir_ for dir_ in (here, *here.parents) if (dir_ / ".git").exists()), None)
        if root is not None:
            env["CLAUDE_PROJECT_DIR"] = str(root)
    return env


def absent(state: State) -> Problem:
    """Return the error for a daemon that does not listen, with the next step."""
    places = paths.paths()
    if state in (State.DEAD, State.NONE) and (stop := stop_marker.read(places.stopped)):
        return Problem(stop_sentence(stop), START)
    error = no_daemon(places, state)
    return Problem(error.sentence, error.step)


def _undone(problem: Problem) -> Problem:
    """Return the error of a call that did not reach a daemon."""
    return Problem(f"{problem.message} Nothing was done.", problem.step)


def stop_sentence(stop: Stop) -> str:
    """Return that hookd is stopped, since when, and what that means."""
    since = f", since {local_time(stop.at.isoformat())}" if stop.at else ""
    return f"hookd is stopped, by hookd stop{since}: every call runs unchecked."


@contextmanager
def _dial(path: Path, patience: float) -> Iterator[socket.socket]:
    """Open a connection. Raise _DownError if it fails, or after `patience` seconds of silence."""
    try:
        if not is_own_socket(path):
            raise _DownError(State.FOREIGN)
        with socket.socket(socket.AF_UNIX) as wire:
            wire.settimeout(patience)
            wire.connect(str(path))
            if not admitted(uid_of(wire), os.geteuid()):
                raise _DownError(State.FOREIGN)
            yield wire
    except OSError as error:
        closed = isinstance(error, BrokenPipeError | ConnectionResetError)
        raise _DownError(state_of(error), closed=closed) from None


def _lines(wire: socket.socket, alive: Callable[[], bool]) -> Iterator[bytes]:
    """Yield the lines of the daemon. After a silence, continue while `alive` is true."""
    text = bytearray()
    while len(text) <= LIMIT:
        try:
            chunk = wire.recv(1 << 20)
        except TimeoutError:
            if alive():
                continue
            raise
        if not chunk:
            raise _DownError(State.HUNG, closed=True)
        text += chunk
        if b"\n" in chunk:
            *whole, rest = text.split(b"\n")
            text = rest
            yield from map(bytes, whole)
    raise too_long()


def _answer(messages: Iterator[Message]) -> tuple[Message, list[Message]]:
    """Return the first answer, and the notifications before it."""
    early = []
    while is_notification(message := next(messages)):
        early.append(message)
    return message, early


def _command(method: str) -> str:
    """Return the current command as it is typed; for `hookd rpc`, the method."""
    context = click.get_current_context(silent=True)
    return context.command_path if context and context.info_name != "rpc" else method


def _unanswered(method: str) -> Unanswered:
    return Unanswered(
        f"The daemon ended the connection before it answered {method}.", "hookd daemon logs"
    )
