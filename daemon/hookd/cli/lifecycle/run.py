"""The home of `hookd run`: the client in this terminal, started anew when it has to be."""

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
from collections.abc import Sequence
from contextlib import suppress
from queue import SimpleQueue
from typing import Any

import click

from hookd import paths
from hookd.cli.lib import client, output
from hookd.cli.lib.errors import Problem
from hookd.cli.lifecycle import daemon
from hookd.cli.lifecycle.restart_policy import (
    Again,
    Ended,
    Over,
    Request,
    after_crash,
    anew,
    decide,
    parse,
    with_prompt,
)
from hookd.system import stop_marker

GRACE = 10.0
"""Seconds that the client gets to end when a restart was asked for."""

FIRST_REATTACH, LAST_REATTACH = 0.2, 5.0
"""Seconds before the daemon is looked for again: at first, and at most. Each is twice the last."""

ATTACHED = 1.0
"""Seconds that the first start waits for the daemon to know of the run; it starts in any case."""

_ENDS = (signal.SIGTERM, signal.SIGHUP)
_KEYS = (signal.SIGINT, signal.SIGQUIT)  # the terminal sends them to the client, too
_STDIN = 0

News = int | Request
"""What the supervisor waits for: a signal's number, or the daemon's wish."""


@click.command(
    context_settings={"allow_interspersed_args": False},
    epilog="""\b
    Examples:
      hookd run -- claude
      hookd run --prompt 'Read PLAN.md and begin.' -- claude --model opus
    """,
)
@click.option("--prompt", metavar="TEXT", help="The first prompt, said at the first start alone.")
@click.argument("command", nargs=-1, type=click.UNPROCESSED, metavar="-- PROGRAM [ARGS]...")
@click.pass_context
def run(context: click.Context, prompt: str | None, command: tuple[str, ...]) -> None:
    """Run the client in this terminal; start it anew after a crash, or when the daemon asks for it.

    The new client has the same arguments, but for those that would bring the old conversation
    back (--continue, --resume, --session-id and the like), and a prompt to go on by as the last
    one. So give a first prompt by --prompt: among ARGS it would be given again each time, and
    come before the prompt to go on by.

    It ends as the client ends: with exit code 0, by Ctrl-C, or after five restarts in a row that
    ended in a crash within a minute each. A client that fails within 10 seconds of its first start
    is not started anew.
    """
    if not command:
        raise Problem("What is to be run was not said.", "hookd run -- claude")
    if shutil.which(command[0], path=paths.search_path()) is None:
        sentence = f"{output.cell(command[0])} was not found, or it cannot be run."
        Problem(sentence, "see that it is on the PATH, or give its whole path").show()
        context.exit(127)
    _see_to_the_daemon()
    over = _Supervisor(command).run(prompt)
    if over.gave_up:
        sentence = f"The client ended again and again, at last with exit code {over.code}."
        Problem(sentence, "run it without hookd run to see why").show()
    context.exit(over.code)


def _see_to_the_daemon() -> None:
    """Start a daemon unless there is one. The client runs in any case."""
    try:
        if not stop_marker.read(paths.paths().stopped):
            daemon.begin()
            return
        why = "The daemon is stopped: until hookd start"
    except (Problem, OSError) as error:
        said = error.message if isinstance(error, Problem) else str(error)
        why = f"{said.rstrip('.')}: until hookd start works"
    _say(f"{why}, nobody asks for restarts. The client runs all the same.")


def _say(sentence: str) -> None:
    with suppress(OSError):  # a terminal that has gone is no reason to leave the client alone
        click.echo(f"hookd: {sentence}", err=True)


class _Supervisor:
    """Runs one command, life after life. All that it waits for comes through one pipe.

    A byte is a signal's number, 0 a request of the daemon. Python's own handlers would not wake
    who waits for a lock, where the signal came just before.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._id = str(uuid.uuid4())
        self._environment = paths.client_environment(self._id)
        self._asked: SimpleQueue[Request] = SimpleQueue()
        self._attached = threading.Event()
        self._news, self._bell = os.pipe()
        os.set_blocking(self._bell, False)

    def run(self, prompt: str | None) -> Over:
        """Run the client until it is over; `prompt` is said at the first start."""
        threading.Thread(target=self._listen, daemon=True).start()
        # The client's first event is to find the daemon knowing of this run.
        self._attached.wait(ATTACHED)
        command = with_prompt(self._command, prompt) if prompt else list(self._command)
        first, crashes = True, 0
        self._catch_signals()
        terminal = _settings_of_terminal()
        while True:
            ended, request = self._life(command, first=first)
            _restore(terminal)
            then = decide(ended, crashes)
            if isinstance(then, Over):
                if ended.failed_first:
                    _say("the client failed as soon as it was started; it is not started anew.")
                return then
            _say(_again(ended, request, then))
            found = self._pause(then.pause)
            if isinstance(found, int):
                return Over(128 + found)
            request = request or found
            command = anew(self._command, request.prompt if request else after_crash(prompt))
            first, crashes = False, then.crashes

    def _life(self, command: list[str], *, first: bool) -> tuple[Ended, Request | None]:
        """Run the client once; return how it ended, and the restart that was asked for."""
        began = time.monotonic()
        try:
            child = subprocess.Popen(command, env=self._environment)
        except OSError as error:
            _say(f"{output.cell(command[0])}: {error.strerror or error}.")
            return Ended(127 if error.errno == errno.ENOENT else 126, 0.0, first), None
        told, request = self._watch(child)
        code = child.returncode if child.returncode >= 0 else 128 - child.returncode
        seconds = time.monotonic() - began
        with suppress(Problem):  # without a daemon there is nobody to tell
            client.call("run.end", {"runId": self._id})
        return Ended(code, seconds, first, request is not None, told), request

    def _watch(self, child: subprocess.Popen[bytes]) -> tuple[int, Request | None]:
        """Wait for the client's end; pass on what is meant for it."""
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
        """Wait. A signal ends it, and so does a request; all that came by then are one."""
        request, deadline = None, time.monotonic() + seconds
        while (news := self._next(deadline)) is not None:
            if isinstance(news, Request):
                request, deadline = request or news, time.monotonic()
            elif news != signal.SIGCHLD:
                return news
        return request

    def _next(self, deadline: float | None) -> News | None:
        """Return the next news, or None where there is none until the deadline."""
        left = None if deadline is None else max(0.0, deadline - time.monotonic())
        if not select.select([self._news], [], [], left)[0]:
            return None
        return os.read(self._news, 1)[0] or self._asked.get()

    def _catch_signals(self) -> None:
        """Make signals news. They are caught, not ignored: the client would inherit that."""
        signal.set_wakeup_fd(self._bell)
        for number in (signal.SIGCHLD, *_ENDS, *_KEYS):
            # One that is ignored, as by nohup, stays so for both.
            if number == signal.SIGCHLD or signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, lambda *_: None)

    def _listen(self) -> None:
        """Let the daemon know that this run is here, again after each of its ends."""
        # The main thread alone is woken by signals.
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        pause = FIRST_REATTACH
        while True:
            with suppress(Problem):
                env = client.identity() | {"HOOKD_RUN": self._id}
                _, told = client.subscribe("run.attach", {"runId": self._id, "env": env})
                self._attached.set()
                pause = FIRST_REATTACH
                for one in told:
                    request = parse(one.params, self._id) if one.method == "run.restart" else None
                    if request:
                        self._asked.put(request)
                        os.write(self._bell, b"\0")
            time.sleep(pause)
            pause = min(2 * pause, LAST_REATTACH)


def _look(child: subprocess.Popen[bytes]) -> None:
    """Take note of the client's end; when it was stopped, stop with it.

    At Ctrl-Z the client stops itself alone. The shell waits for both: it would never come back.
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
        # In the background it is somebody else's terminal.
        if terminal is not None and os.tcgetpgrp(_STDIN) == os.getpgrp():
            termios.tcsetattr(_STDIN, termios.TCSANOW, terminal)


def _again(ended: Ended, request: Request | None, then: Again) -> str:
    if request is not None:
        later = f" in {then.pause:g} s" if then.pause else ""
        return f"the client is started anew{later}: {output.cell(request.reason)}"
    return f"the client ended with exit code {ended.code}; it is started anew in {then.pause:g} s"
