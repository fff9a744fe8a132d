"""Trial of a shim with a socket of its own: the answers that it gives, and how fast a hook is.

No daemon is asked and nothing is recorded: a folder with a link, a configuration and a socket takes
the place of the registered ones.
"""

import json
import os
import signal
import socket
import statistics
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import field
from pathlib import Path

from hookd.core.model.shim_config import CONFIG, ShimConfig, event_rules, render
from hookd.core.model.shim_paths import ALONE, COLD, SHIM
from hookd.events.protocol import PAYLOAD_END
from hookd.lazy_dataclass import dataclass

_EVENT = "PreToolUse"
_LONGEST = 64
"""Longest path of the folder for temporary files, in bytes: that of a socket may have 103."""

_TIMEOUT_S = 10
"""Limit of one hook of a trial; a busy machine may need seconds."""

_ACKNOWLEDGED = b'{"jsonrpc":"2.0","method":"hooks.accepted"}\n'
_ANSWER = '{"trial":"1"}'
_PREFIX = '{"jsonrpc":"2.0","id":1,"result":'
_SMALL = b'{"hook_event_name":"PreToolUse","tool_name":"Bash"}\n'
_LARGE = b'{"text":"' + b"x" * 200_000 + b'"}\n'

_HANDED_OVER = "resume"
_STAND_IN = f"""#!/bin/bash -p
printf '%s\\n' {_HANDED_OVER} "$1" "$2"
cat
"""
"""Takes the place of the shim of bash, and prints what it was given."""

_NOTHING = ("/bin/bash", "-c", ":")
"""The command with which a hook is compared."""


class UntriedError(Exception):
    """The trial could not be prepared, which says nothing about the program."""


@dataclass
class _Daemon:
    """Answers hooks at a socket: acknowledges, reads the payload, answers, closes."""

    place: Path
    answer: str = _ANSWER
    received: list[tuple[bytes, bytes]] = field(default_factory=list)

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Listen; the file of the socket stays when the block ends. Raise UntriedError."""
        with socket.socket(socket.AF_UNIX) as listener:
            try:
                listener.bind(str(self.place))
                listener.listen()
            except OSError as error:
                raise UntriedError(f"{self.place}: {error.strerror or error}") from None
            thread = threading.Thread(target=self._serve, args=(listener,), daemon=True)
            thread.start()
            try:
                yield
            finally:
                with suppress(OSError):
                    listener.shutdown(socket.SHUT_RDWR)
                thread.join(_TIMEOUT_S)

    def _serve(self, listener: socket.socket) -> None:
        while True:
            try:
                link = listener.accept()[0]
            except OSError:
                return
            with link, suppress(OSError):
                link.settimeout(_TIMEOUT_S)
                self._reply(link)

    def _reply(self, link: socket.socket) -> None:
        with link.makefile("rb") as stream:
            header = stream.readline()
            link.sendall(_ACKNOWLEDGED)
            payload = bytearray()
            while PAYLOAD_END not in payload and (chunk := stream.read1(65536)):
                payload += chunk
            self.received.append((header, bytes(payload.partition(PAYLOAD_END)[0])))
            link.sendall(f"{_PREFIX}{self.answer}}}\n".encode())


def short_folder() -> str:
    """Return a folder for temporary files in which a socket can be bound."""
    usual = tempfile.gettempdir()
    return usual if len(os.fsencode(usual)) <= _LONGEST else "/tmp"  # noqa: S108 - made 0700


def trouble(program: Path) -> str:
    """Return why a native shim cannot be used, as a clause; "" if it passed the trial.

    It must carry a small and a large payload and print the answer, and hand the event to the shim
    of bash if nothing listens. Raise UntriedError if the trial cannot be prepared.
    """
    with _prepared(program, ()) as (daemon, link):
        try:
            for name in (SHIM, COLD):
                daemon.place.with_name(name).write_text(_STAND_IN)
            with daemon.listening():
                why = _carried(link, _SMALL, daemon) or _carried(link, _LARGE, daemon)
            return why or _handed_over(link)
        except OSError as error:
            return f"it cannot be started: {error.strerror or error}"


def milliseconds(
    program: Path, transports: tuple[str, ...], seconds: float, rounds: int = 15
) -> tuple[float, float] | None:
    """Return the median milliseconds of a hook and of `bash -c :`; None if a hook fails.

    Each hook starts the shim `program` and gets its answer from a socket in this process, so the
    daemon's own time is not included. The two alternate, for `seconds` or `rounds`. Raise
    UntriedError if the trial cannot be prepared.
    """
    with _prepared(program, transports) as (daemon, link):
        for name in (COLD, ALONE):
            daemon.place.with_name(name).symlink_to(program.with_name(name))
        daemon.answer = "null"
        hooks, others = list[float](), list[float]()
        with daemon.listening():
            until = time.perf_counter() + seconds
            while len(hooks) < rounds and (not hooks or time.perf_counter() < until):
                for words, taken in (((str(link),), hooks), (_NOTHING, others)):
                    began = time.perf_counter()
                    if not _succeeds(words):
                        return None
                    taken.append((time.perf_counter() - began) * 1000)
        return statistics.median(hooks), statistics.median(others)


@contextmanager
def _prepared(program: Path, transports: tuple[str, ...]) -> Iterator[tuple[_Daemon, Path]]:
    """Make a folder for a trial; yield its daemon and the link to the shim. Raise UntriedError."""
    with ExitStack() as stack:
        try:
            made = tempfile.TemporaryDirectory(prefix="hookd-", dir=short_folder())
            folder = Path(stack.enter_context(made))
            daemon = _Daemon(folder / "socket")
            config = ShimConfig(socket=str(daemon.place), transports=transports)
            link = _scope(folder, program, config)
        except OSError as error:
            raise UntriedError(f"{error.filename}: {error.strerror or error}") from None
        yield daemon, link


def _scope(folder: Path, program: Path, config: ShimConfig) -> Path:
    """Make a scope's folder in `folder`; return the link to the shim in it."""
    scope = folder / "user"
    scope.mkdir()
    whole = ShimConfig(
        socket=config.socket,
        no_verdict="open",
        transports=config.transports,
        events=event_rules([_EVENT], []),
    )
    (scope / CONFIG).write_text(render(whole))
    link = scope / _EVENT
    link.symlink_to(program)
    return link


def _carried(link: Path, payload: bytes, daemon: _Daemon) -> str:
    daemon.received.clear()
    code, out, err = _output([str(link)], payload)
    if (code, out, err) != (0, f"{daemon.answer}\n".encode(), b""):
        return f"it did not print the answer to {len(payload)} bytes{_ended(code, err)}"
    if len(daemon.received) != 1:
        return f"it sent an event {len(daemon.received)} times"
    header, received = daemon.received[0]
    if received != payload or not _is_header(header):
        return f"it did not send {len(payload)} bytes as they were"
    return ""


def _is_header(line: bytes) -> bool:
    try:
        value = json.loads(line)
        named = value["params"]["event"] == _EVENT and value["params"]["body"] is True
        return bool(named and value["method"] == "hooks.dispatch")
    except (ValueError, LookupError, TypeError):
        return False


def _handed_over(link: Path) -> str:
    code, out, err = _output([str(link)], _SMALL)
    first = f"{_HANDED_OVER}\n--resume\n".encode()
    if code == 0 and out.startswith(first) and out.endswith(b"\n" + _SMALL):
        return ""
    return f"it did not pass an event to the shim of bash{_ended(code, err)}"


def _ended(code: int | None, err: bytes) -> str:
    """Return how a program ended, with the first line of its errors."""
    if code is None:
        return f" within {_TIMEOUT_S} s"
    said = err.decode("utf-8", "replace").strip().partition("\n")[0]
    how = f" (exit code {code})" if code > 0 else ""
    if code < 0:
        with suppress(ValueError):
            how = f" ({signal.Signals(-code).name})"
    return f"{how}{': ' if said else ''}{said}"


def _succeeds(words: Sequence[str]) -> bool:
    try:
        return _output(words, _SMALL) == (0, b"", b"")
    except OSError:
        return False


def _output(words: Sequence[str], payload: bytes) -> tuple[int | None, bytes, bytes]:
    """Run a program with its own process group; return exit code, stdout and stderr.

    The exit code is None after the time limit.
    """
    pipe, environment = subprocess.PIPE, {"PATH": "/usr/bin:/bin"}
    with subprocess.Popen(
        words, stdin=pipe, stdout=pipe, stderr=pipe, env=environment, start_new_session=True
    ) as process:
        try:
            out, err = process.communicate(payload, timeout=_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return None, b"", b""
    return process.returncode, out, err
