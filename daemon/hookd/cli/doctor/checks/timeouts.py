"""The home of what may take its time: a request, a program. Each has a limit, and is told of."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any

import click

from hookd.cli.lib import client
from hookd.cli.lib.errors import Problem

_QUIET = 1.0
"""Seconds after which a person is told what is waited for."""


class LateError(Problem):
    """The daemon lives, but its answer did not come in time."""


@dataclass(frozen=True)
class Ran:
    """How a program ended, and what it wrote."""

    code: int
    out: bytes
    err: bytes


def ask(method: str, params: Mapping[str, Any] | None = None, seconds: float = 10) -> Any:
    """Return a method's result. Raise Problem where there is none, LateError where it is late."""
    answers: SimpleQueue[Any] = SimpleQueue()

    def call() -> None:
        try:
            answers.put(client.call(method, params))
        except (Problem, OSError) as error:
            answers.put(error)

    # A thread that ends with this process: `call` waits for as long as the daemon lives.
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
    """Run a program as Claude Code does, in a group of its own; None where it took longer."""
    pipe = subprocess.PIPE
    with subprocess.Popen(
        words, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True
    ) as process:
        try:
            out, err = process.communicate(stdin, timeout=seconds)
        except BaseException as error:
            # The group: what the program started would hold its output open.
            os.killpg(process.pid, signal.SIGKILL)
            if isinstance(error, subprocess.TimeoutExpired):
                return None
            raise
    return Ran(process.returncode, out, err)


@contextmanager
def telling(what: str) -> Iterator[None]:
    """Say on a terminal what is waited for, once it takes long."""
    said = threading.Timer(_QUIET, click.echo, (f"hookd: {what} ...",), {"err": True})
    if sys.stderr.isatty():
        said.start()
    try:
        yield
    finally:
        said.cancel()
