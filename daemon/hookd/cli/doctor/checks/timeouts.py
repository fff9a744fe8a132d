"""Requests and programs with a time limit, and a message while they run."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from queue import Empty, SimpleQueue
from time import perf_counter
from typing import Any

import click

from hookd.cli.lib import client
from hookd.cli.lib.errors import Problem
from hookd.lazy_dataclass import dataclass

_MESSAGE_DELAY_S = 1.0
"""Delay of the message about a slow step."""


class LateError(Problem):
    """The daemon is alive, but its answer is late."""


@dataclass(frozen=True)
class Ran:
    """How a program ended, and what it wrote."""

    code: int
    out: bytes
    err: bytes


Outcome = Callable[[], tuple[Ran | None, float]]
"""Waits for the end of a program; returns it, None after its limit, and the milliseconds."""


def ask(method: str, params: Mapping[str, Any] | None = None, seconds: float = 10) -> Any:
    """Return a method's result. Raise LateError if it is late, else Problem without one."""
    answers: SimpleQueue[Any] = SimpleQueue()

    def call() -> None:
        try:
            answers.put(client.call(method, params))
        except (Problem, OSError) as error:
            answers.put(error)

    # A daemon thread, since `call` waits as long as the daemon is alive.
    threading.Thread(target=call, daemon=True).start()
    try:
        answer = answers.get(timeout=seconds)
    except Empty:
        sentence = f"The daemon has not answered {method} within {seconds:g} s."
        raise LateError(sentence, "hookd daemon logs -n 20") from None
    if isinstance(answer, Exception):
        raise answer
    return answer


def run(words: Sequence[str], seconds: float, stdin: bytes = b"") -> Ran | None:
    """Run a program as Claude Code does, in its own process group; None after the limit."""
    with _started(words) as process:
        return _ended(process, seconds, stdin)


@contextmanager
def beside(words: Sequence[str], seconds: float, stdin: bytes = b"") -> Iterator[Outcome]:
    """Run a program while the block runs; yield a function that waits for its end.

    That returns what `run` does, and the milliseconds. The program ends with the block.
    """
    ends: SimpleQueue[tuple[Ran | None, float]] = SimpleQueue()
    with _started(words) as process:

        def wait() -> None:
            began = perf_counter()
            ends.put((_ended(process, seconds, stdin), (perf_counter() - began) * 1000))

        waiting = threading.Thread(target=wait, daemon=True)
        waiting.start()
        try:
            yield cache(ends.get)
        finally:
            if waiting.is_alive():
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
            waiting.join()


def _started(words: Sequence[str]) -> subprocess.Popen[bytes]:
    pipe = subprocess.PIPE
    return subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True)


def _ended(process: subprocess.Popen[bytes], seconds: float, stdin: bytes) -> Ran | None:
    """Wait for a program, kill its group at the limit or an error; None after the limit."""
    try:
        out, err = process.communicate(stdin, timeout=seconds)
    except BaseException as error:
        # The group: children would hold the output open.
        os.killpg(process.pid, signal.SIGKILL)
        if isinstance(error, subprocess.TimeoutExpired):
            return None
        raise
    return Ran(process.returncode, out, err)


@contextmanager
def telling(what: str) -> Iterator[None]:
    """Print on a terminal which step runs, if it is slow."""
    said = threading.Timer(_MESSAGE_DELAY_S, click.echo, (f"hookd: {what} ...",), {"err": True})
    if sys.stderr.isatty():
        said.start()
    try:
        yield
    finally:
        said.cancel()
