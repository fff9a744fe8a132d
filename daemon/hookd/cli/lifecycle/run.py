"""`hookd run`: run the client in this terminal, and restart it after a crash or on request."""

import errno
import os
import select
import shutil
import signal
import subprocess
import termios
import threading
import time
import uuid
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import SimpleQueue
from typing import Any

import click

from hookd import paths
from hookd.cli.lib import client, output
from hookd.cli.lib.errors import Problem
from hookd.cli.lifecycle import daemon
from hookd.cli.lifecycle.client_arguments import first_command, restart_command
from hookd.cli.lifecycle.restart_policy import (
    Again,
    Ended,
    Over,
    Request,
    after_crash,
    decide,
    parse,
)
from hookd.system import stop_marker

GRACE = 10.0
"""Seconds that the client gets to end when a restart was requested."""

FIRST_REATTACH, LAST_REATTACH = 0.2, 5.0
"""Seconds between attempts to reach the daemon: the first, and the longest; they double."""

ATTACHED = 1.0
"""Seconds that the first start waits until the daemon knows the run; it starts in any case."""

_ENDS = (signal.SIGTERM, signal.SIGHUP)
_KEYS = (signal.SIGINT, signal.SIGQUIT)  # the terminal sends them to the client, too
_STDIN = 0

News = int | Request
"""Event of the supervisor: a signal's number, or a request of the daemon."""


@click.command(
    context_settings={"allow_interspersed_args": False},
    epilog="""\b
    Examples:
      hookd run -- claude
      hookd run --prompt 'Read PLAN.md and begin.' -- claude --model opus
      hookd run -- codex --search
    """,
)
@click.option("--prompt", metavar="TEXT", help="Give the first start this prompt.")
@click.argument("command", nargs=-1, type=click.UNPROCESSED, metavar="-- PROGRAM [ARGS]...")
@click.pass_context
def run(context: click.Context, prompt: str | None, command: tuple[str, ...]) -> None:
    """Run the client in this terminal; restart it after a crash.

    The daemon can request a restart, too. The new client has the same arguments, except those that
    resume a conversation (--continue, --resume, --session-id and the like), and a prompt to
    continue, where the client takes it. Claude Code, Codex, Gemini CLI, Qwen Code, Copilot CLI and
    opencode are known by the name of their program. Give the first prompt by --prompt: a prompt
    among ARGS may be repeated at each restart.

    It ends with the client: after exit code 0 or Ctrl-C, or after five restarts in a series that
    each ended in a crash within a minute. A client that fails within 10 seconds of its first start
    is not restarted.
    """
    if not command:
        raise Problem("The program to run is missing.", "hookd run -- claude")
    if shutil.which(command[0], path=paths.search_path()) is None:
        sentence = f"{output.cell(command[0])} was not found, or is not executable."
        Problem(sentence, "add its folder to the PATH, or give its full path").show()
        context.exit(127)
    _ensure_daemon()
    context.exit(supervise(command, lambda _: prompt))


def supervise(
    command: Sequence[str], begin: Callable[[str], str | None], folder: str | None = None
) -> int:
    """Run a client in a folder until its last restart; return the exit code.

    `begin` gets the run's id before the client starts, and returns the first prompt.
    """
    supervisor = _Supervisor(command, folder)
    over = supervisor.run(begin)
    if over.gave_up:
        sentence = f"The client crashed too often, at last with exit code {over.code}."
        Problem(sentence, "run it without hookd run to see the reason").show()
    return over.code


def _ensure_daemon() -> None:
    """Start a daemon unless one runs. The client runs in any case."""
    try:
        if not stop_marker.read(paths.paths().stopped):
            daemon.begin()
            return
        why = "The daemon is stopped: until hookd start"
    except (Problem, OSError) as error:
        said = error.message if isinstance(error, Problem) else str(error)
        why = f"{said.rstrip('.')}: until hookd start works"
    _say(f"{why}, no restart is requested. The client runs anyway.")


def _say(sentence: str) -> None:
    with suppress(OSError):  # a closed terminal must not end the supervision
        click.echo(f"hookd: {sentence}", err=True)


class _Supervisor:
    """Runs one command, and restarts it. All events arrive through one pipe.

    A byte is a signal's number, 0 a request of the daemon. Python's own handlers would not wake a
    thread that waits for a lock if the signal came just before.
    """

    def __init__(self, command: Sequence[str], folder: str | None) -> None:
        self._command = command
        self._folder = folder
        self._id = str(uuid.uuid4())
        self._environment = paths.client_environment(self._id)
        self._asked: SimpleQueue[Request] = SimpleQueue()
        self._attached = threading.Event()
        self._news, self._bell = os.pipe()
        os.set_blocking(self._bell, False)

    def run(self, begin: Callable[[str], str | None]) -> Over:
        """Run the client until the last restart; `begin` returns the prompt of the first start."""
        threading.Thread(target=self._listen, daemon=True).start()
        # The daemon should know this run before the client's first event.
        self._attached.wait(ATTACHED)
        prompt = begin(self._id)
        command = first_command(self._command, prompt) if prompt else list(self._command)
        first, crashes = True, 0
        self._catch_signals()
        terminal = _settings_of_terminal()
        while True:
            ended, request = self._life(command, first=first)
            _restore(terminal)
            then = decide(ended, crashes)
            if isinstance(then, Over):
                if ended.failed_first:
                    _say("the client failed as soon as it was started; it is not restarted.")
                return then
            _say(_again(ended, request, then))
            event = self._pause(then.pause)
            if isinstance(event, int):
                return Over(128 + event)
            request = request or event
            command = restart_command(
                self._command, request.prompt if request else after_crash(prompt)
            )
            first, crashes = False, then.crashes

    def _life(self, command: list[str], *, first: bool) -> tuple[Ended, Request | None]:
        """Run the client once; return how it ended, and the restart that was asked for."""
        began = time.monotonic()
        try:
            child = subprocess.Popen(command, env=self._environment, cwd=self._folder)
        except OSError as error:
            _say(f"{output.cell(command[0])}: {error.strerror or error}.")
            return Ended(127 if error.errno == errno.ENOENT else 126, 0.0, first), None
        told, request = self._watch(child)
        code = child.returncode if child.returncode >= 0 else 128 - child.returncode
        seconds = time.monotonic() - began
        with suppress(Problem):  # no daemon runs
            client.call("run.end", {"runId": self._id})
        return Ended(code, seconds, first, request is not None, told), request

    def _watch(self, child: subprocess.Popen[bytes]) -> tuple[int, Request | None]:
        """Wait for the client's end; forward signals to it."""
        told, request, deadline = 0, None, None
        while child.returncode is None:
            news = self._next(deadline)
            if news is None:
                child.kill()
                deadline = None
            elif news == signal.SIGCHLD:
                _look(child)
            elif isinstance(news, Request):
                if request is None:
                    child.terminate()
                    request, deadline = news, time.monotonic() + GRACE
            elif news in _ENDS:
                child.send_signal(news)
                told = news
        return told, request

    def _pause(self, seconds: float) -> News | None:
        """Wait. A signal or a request ends it; simultaneous requests count as one."""
        request, deadline = None, time.monotonic() + seconds
        while (news := self._next(deadline)) is not None:
            if isinstance(news, Request):
                request, deadline = request or news, time.monotonic()
            elif news != signal.SIGCHLD:
                return news
        return request

    def _next(self, deadline: float | None) -> News | None:
        """Return the next event; None at the deadline."""
        left = None if deadline is None else max(0.0, deadline - time.monotonic())
        if not select.select([self._news], [], [], left)[0]:
            return None
        return os.read(self._news, 1)[0] or self._asked.get()

    def _catch_signals(self) -> None:
        """Receive signals as events; not by ignoring them, which the client would inherit."""
        signal.set_wakeup_fd(self._bell)
        for number in (signal.SIGCHLD, *_ENDS, *_KEYS):
            # An ignored signal, as by nohup, stays ignored for both.
            if number == signal.SIGCHLD or signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, lambda *_: None)

    def _listen(self) -> None:
        """Attach this run to the daemon, again after each end of the connection."""
        # Only the main thread receives signals.
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        pause = FIRST_REATTACH
        while True:
            with suppress(Problem):
                env = client.identity() | {"HOOKD_RUN": self._id}
                _, notifications = client.subscribe("run.attach", {"runId": self._id, "env": env})
                self._attached.set()
                pause = FIRST_REATTACH
                for one in notifications:
                    request = parse(one.params, self._id) if one.method == "run.restart" else None
                    if request:
                        self._asked.put(request)
                        os.write(self._bell, b"\0")
            time.sleep(pause)
            pause = min(2 * pause, LAST_REATTACH)


def _look(child: subprocess.Popen[bytes]) -> None:
    """Record the client's end; if it was suspended, suspend this process, too.

    At Ctrl-Z the client suspends only itself; the shell waits for both, and would never return.
    """
    with suppress(ChildProcessError):
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG | os.WUNTRACED)
            if not pid:
                return
            if pid != child.pid:
                continue  # a daemon that was started here has ended
            if not os.WIFSTOPPED(status):
                child.returncode = os.waitstatus_to_exitcode(status)
            elif os.isatty(_STDIN):
                os.kill(os.getpid(), signal.SIGSTOP)


def _settings_of_terminal() -> list[Any] | None:
    try:
        return termios.tcgetattr(_STDIN)
    except termios.error:
        return None


def _restore(terminal: list[Any] | None) -> None:
    with suppress(OSError, termios.error):
        # In the background the terminal belongs to another process group.
        if terminal is not None and os.tcgetpgrp(_STDIN) == os.getpgrp():
            termios.tcsetattr(_STDIN, termios.TCSANOW, terminal)


def _again(ended: Ended, request: Request | None, then: Again) -> str:
    if request is not None:
        later = f" in {then.pause:g} s" if then.pause else ""
        return f"the client restarts{later}: {output.cell(request.reason)}"
    return f"the client ended with exit code {ended.code}; it restarts in {then.pause:g} s"
