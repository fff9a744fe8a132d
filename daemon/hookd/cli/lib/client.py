"""Client of the daemon: JSON-RPC calls and subscriptions over its Unix socket."""

import json
import os
import socket
import stat
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Any

import click

from hookd import paths
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.output import local_time
from hookd.lazy_dataclass import dataclass
from hookd.system import stop_marker
from hookd.system.stop_marker import Stop

LIMIT = 16 * 1024 * 1024
"""Bytes of the longest line, in both directions."""

NO_METHOD = "-32601"
"""Error code of an unknown method."""

_SILENCE_S = 3.0
"""Silence after which a call checks whether the daemon is alive."""

START = "hookd start"
"""The next step if no daemon runs."""

_START_EFFORT = "hookd effort start TASK_DIR SKILL"
_STEPS = {
    "NO_ACTIVE_EFFORT": _START_EFFORT,
    "EFFORT_FINISHED": _START_EFFORT,
    "ALREADY_FINISHED": "hookd effort list",
    "INVALID_RULE": "hookd guard add --help",
    "INVALID_HANDOVER": "hookd handover save --help",
    "UNKNOWN_PHASE": "hookd effort phase, which lists them",
    "PHASE_NOT_SEQUENTIAL": "hookd effort phase shows the order; another takes --reason TEXT",
    "PROOF_MISSING": "--proof JSON, an object that has each of them; or --reason TEXT",
    "ALREADY_ENDED": "hookd session list",
    "STALE": "hookd trust, which shows them again",
    "INVALID_PAUSE": "hookd pause --help",
    "NOT_ALLOWABLE": "hookd why, with the number of the event: it names what blocked the call",
    "INVALID_TIME": "hookd allow N --for 1h",
    "PERSON_ONLY": "run it in a terminal of your own",
    "QUERY_FAILED": "see what there is: hookd query 'SELECT type, name FROM sqlite_schema'",
    "UNKEPT": "free the disk of the database (hookd status names it), then run the command again",
    "FILE_FAILED": "see that the folder is there and yours to write",
    "-32601": "check its name; hookd restart, if hookd was upgraded since it started",
    "-32602": "fix the params; hookd restart, if hookd was upgraded since it started",
    "-32603": "hookd daemon logs -n 20",
}
"""The next step, by the code of an error."""

_LISTS = {
    "agent": "hookd agent list",
    "effort": "hookd effort list --all",
    "guard": "hookd guard list, which shows the scope of each rule",
    "session": "hookd session list",
}
"""The next step if something was not found, by its word in the sentence."""


class State(StrEnum):
    """State of the socket's path."""

    LISTENING = "listening"
    HUNG = "hung"
    DEAD = "dead socket"
    NONE = "no socket"
    FOREIGN = "not ours"


class Refused(Problem):
    """An error of the daemon; `code` is the domain's word for it, or the number."""

    def __init__(self, sentence: str, step: str, code: str) -> None:
        super().__init__(sentence, step)
        self.code = code


@dataclass(frozen=True, slots=True)
class Notification:
    """A JSON-RPC notification that a subscription received."""

    method: str
    params: Any


class _DownError(Exception):
    def __init__(self, state: State, *, closed: bool = False) -> None:
        super().__init__(state)
        self.state = state
        self.closed = closed


def probe(socket_path: Path, patience: float = 1.0) -> State:
    """Return the state of a socket. Any answer, also an error, means LISTENING."""
    ping = _request("daemon.status", {})
    try:
        with _dial(socket_path, patience) as wire:
            wire.sendall(ping)
            next(_lines(wire, lambda: False))
    except _DownError as down:
        return down.state
    return State.LISTENING


def call(method: str, params: Mapping[str, Any] | Sequence[Any] | None = None) -> Any:
    """Return a method's result. Raise Refused for an error of the daemon, else Problem.

    It waits as long as the daemon is alive: a query may be slow, a hung daemon is an error.
    """
    with closing(converse(method, params)) as messages:
        return next(messages)


def converse(
    method: str, params: Mapping[str, Any] | Sequence[Any] | None = None
) -> Generator[Any, None, None]:
    """Yield a method's result, or raise as `call` does; then each notification.

    It ends with the connection. After the result it waits without a limit.
    """
    path = paths.paths().socket
    params = {} if params is None else params
    if not isinstance(params, Sequence) and "env" not in params:
        params = {"env": identity(), **params}
    request = _request(method, params)
    answered = False
    try:
        with _dial(path, _SILENCE_S) as wire:
            wire.sendall(request)
            lines = _lines(wire, lambda: probe(path, _SILENCE_S) is State.LISTENING)
            answer, early = _answer(lines)
            yield _result(method, answer)
            answered = True
            wire.settimeout(None)
            yield from early
            yield from filter(_notifies, map(_message, lines))
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
    return result, (Notification(str(one["method"]), one.get("params")) for one in messages)


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
    if state is State.HUNG:
        return Problem(f"The daemon does not answer on {places.socket}.", _end_of(places.pid))
    if state is State.FOREIGN:
        sentence = f"{places.socket} is not a socket of yours."
        return Problem(sentence, f"ls -ld {places.socket}; move what is not hookd's away")
    if stop := stop_marker.read(places.stopped):
        return Problem(stop_sentence(stop), START)
    if state is State.DEAD:
        return Problem(
            f"No daemon is running: no process listens on {places.socket}.",
            "hookd start",
        )
    return Problem(
        f"No daemon is running: there is no socket {places.socket}.",
        "hookd start",
    )


def _undone(problem: Problem) -> Problem:
    """Return the error of a call that did not reach a daemon."""
    return Problem(f"{problem.message} Nothing was done.", problem.step)


def stop_sentence(stop: Stop) -> str:
    """Return that hookd is stopped, since when, and what that means."""
    since = f", since {local_time(stop.at.isoformat())}" if stop.at else ""
    return f"hookd is stopped, by hookd stop{since}: every call runs unchecked."


def _end_of(pid_file: Path) -> str:
    """Return how to end a daemon that hangs: it would not answer `hookd stop` either."""
    try:
        pid = int(pid_file.read_bytes())
    except (OSError, ValueError):
        return "hookd daemon logs -n 20"
    return f"kill {pid}, or kill -9 {pid} if that fails; then hookd start"


@contextmanager
def _dial(path: Path, patience: float) -> Iterator[socket.socket]:
    """Open a connection. Raise _DownError if it fails, or after `patience` seconds of silence."""
    try:
        status = path.stat()
        if not stat.S_ISSOCK(status.st_mode) or status.st_uid != os.getuid():
            raise _DownError(State.FOREIGN)
        with socket.socket(socket.AF_UNIX) as wire:
            wire.settimeout(patience)
            wire.connect(str(path))
            yield wire
    except (FileNotFoundError, NotADirectoryError):
        raise _DownError(State.NONE) from None
    except ConnectionRefusedError:
        raise _DownError(State.DEAD) from None
    except (TimeoutError, BlockingIOError):
        # BlockingIOError: the queue of connections that wait to be accepted is full.
        raise _DownError(State.HUNG) from None
    except (BrokenPipeError, ConnectionResetError):
        raise _DownError(State.HUNG, closed=True) from None
    except OSError:
        raise _DownError(State.FOREIGN) from None


def _request(method: str, params: Mapping[str, Any] | Sequence[Any]) -> bytes:
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    line = json.dumps(message, separators=(",", ":")).encode() + b"\n"
    if len(line) > LIMIT:
        raise Problem("That is more than the 16 MiB of one request.", "send less at a time")
    return line


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
    raise Problem("The answer is longer than 16 MiB.", "ask for less, for example by --limit")


def _answer(lines: Iterator[bytes]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return the first answer, and the notifications before it."""
    early = []
    while _notifies(message := _message(next(lines))):
        early.append(message)
    return message, early


def _message(line: bytes) -> dict[str, Any]:
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        message = None
    if isinstance(message, dict):
        return message
    sentence = f"What answers on {paths.paths().socket} does not speak JSON-RPC."
    raise Problem(sentence, "hookd restart")


def _notifies(message: Mapping[str, Any]) -> bool:
    return "method" in message


def _result(method: str, answer: Mapping[str, Any]) -> Any:
    if "error" in answer:
        raise _refused(method, answer["error"])
    return answer.get("result")


def _command(method: str) -> str:
    """Return the current command as it is typed; for `hookd rpc`, the method."""
    context = click.get_current_context(silent=True)
    return context.command_path if context and context.info_name != "rpc" else method


def _unanswered(method: str) -> Problem:
    return Problem(
        f"The daemon ended the connection before it answered {method}.", "hookd daemon logs"
    )


def _refused(method: str, error: Any) -> Refused:
    """Return an error of the daemon as a sentence, with the next step for its code."""
    error = error if isinstance(error, dict) else {"message": str(error)}
    data = error.get("data")
    data = data if isinstance(data, dict) else {}
    code = str(data.get("code") or error.get("code"))
    detail = str(data.get("detail") or error.get("message") or "without a reason")
    sentence = {
        "-32601": f"The daemon has no method {method}",
        "-32602": f"The daemon refuses these params: {detail}",
        "-32603": f"The daemon failed at {method}; its log has the reason",
        "INVALID_RULE": f"The daemon refuses this rule: {detail}",
        "INVALID_HANDOVER": f"The daemon refuses this handover: {detail}",
        "PERSON_ONLY": detail.replace(method, _command(method), 1),
    }.get(code, detail[:1].upper() + detail[1:])
    step = _STEPS.get(code, "")
    if code == "NOT_FOUND":
        # The sentence names what was not found: a guard's effort is not a guard.
        step = next((step for word, step in _LISTS.items() if word in detail), "")
    return Refused(sentence.rstrip(".") + ".", step, code)
