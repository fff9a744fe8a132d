"""`hookd` in the time of a fork: a process of its own each time, which shares what is imported.

Starting Python and importing the daemon takes half a second, and shows nothing new the hundredth
time. So one process per test run imports it, and is asked for children: each has an environment, a
folder and streams of its own, and runs the same command line to its end. Tests about the start
of a program itself, by its name, starts it so.
"""

import atexit
import hashlib
import json
import os
import pty
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from functools import cache
from io import FileIO
from pathlib import Path
from typing import Any, NoReturn

ROOT = Path(__file__).parent.parent.parent

PATIENCE = 60
"""Seconds that a command may take."""


def run(
    args: Sequence[str],
    env: Mapping[str, str],
    cwd: object,
    text: str | None = None,
    *,
    gone: bool = False,
) -> subprocess.CompletedProcess[str]:
    """Run `hookd` with these arguments, and `text` on its stdin; return what came of it.

    `gone`: its working folder, which is empty, is removed before it runs.
    """
    with (
        tempfile.TemporaryFile("w+") as given,
        tempfile.TemporaryFile("w+") as out,
        tempfile.TemporaryFile("w+") as err,
    ):
        given.write(text or "")
        given.seek(0)
        streams = [given.fileno(), out.fileno(), err.fileno()]
        with closing(_ask(args, env, cwd, streams, gone=gone)) as link:
            code = _ended(link)
        out.seek(0)
        err.seek(0)
        return subprocess.CompletedProcess(list(args), code, out.read(), err.read())


def start(args: Sequence[str], env: Mapping[str, str]) -> str:
    """Start what leaves its streams once it is ready; return what it wrote on them until then."""
    reads, writes = os.pipe()
    with os.fdopen(reads) as said, Path(os.devnull).open("r+b") as null:
        try:
            link = _ask(args, env, "/", [null.fileno(), null.fileno(), writes])
        finally:
            os.close(writes)
        with closing(link):
            return said.read()


def at_a_terminal(
    args: Sequence[str], env: Mapping[str, str], cwd: object = None, typed: str = ""
) -> tuple[int, str]:
    """Run `hookd` with a terminal for all its streams, on which `typed` was typed ahead.

    Return its code and the terminal's content.
    """
    ours, theirs = pty.openpty()
    with os.fdopen(ours, "r+b", buffering=0) as screen:
        try:
            child = Child(args, env, cwd, theirs, theirs, theirs)
        finally:
            os.close(theirs)
        screen.write(typed.encode())
        said = b""
        while chunk := _read(screen):
            said += chunk
        return child.wait(), said.decode().replace("\r\n", "\n")


def _read(screen: FileIO) -> bytes:
    try:
        return screen.read(4096) or b""
    except OSError:  # Linux: the other end is closed
        return b""


class Child:
    """A child that is waited for later; `pid` is its process."""

    def __init__(
        self, args: Sequence[str], env: Mapping[str, str], cwd: object, *streams: int
    ) -> None:
        """Run `hookd` with these arguments, and with stdin, stdout and stderr from `streams`."""
        self._link = _ask(args, env, cwd, streams)
        self._told = self._link.makefile()
        self.pid = int(self._told.readline())

    def wait(self) -> int:
        """Return its code once it has ended."""
        with closing(self._link), self._told:
            return int(self._told.read())


def _ended(link: socket.socket) -> int:
    """Return the code of a child, which is in a file named after its process."""
    with link.makefile() as told:
        return int(told.read().split()[1])


def _ask(
    args: Sequence[str],
    env: Mapping[str, str],
    cwd: object,
    streams: Sequence[int],
    *,
    gone: bool = False,
) -> socket.socket:
    """Ask for a child; return the connection on which its process and its return code come."""
    ours, theirs = socket.socketpair()
    with theirs:
        socket.send_fds(_server(), [b"."], [theirs.fileno(), *streams])
    ours.settimeout(PATIENCE)
    asked = [list(args), dict(env), str(cwd or Path.cwd()), gone]
    ours.sendall(json.dumps(asked).encode())
    ours.shutdown(socket.SHUT_WR)
    return ours


@cache
def _server() -> socket.socket:
    """Return the connection to the process that is asked; it ends when this one has."""
    ours, theirs = socket.socketpair()
    with theirs:
        os.set_inheritable(theirs.fileno(), True)
        command = [sys.executable, "-P", __file__, str(theirs.fileno())]
        # No environment: a test may have a home of its own just now, and ends all who live there.
        subprocess.run(
            command, env={}, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, check=True
        )
    return ours  # it ends with its connection


def _asked(link: socket.socket) -> list[int]:
    """Bear a process for each request; return, in that one, what it was given."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # no wait is needed for those
    while given := socket.recv_fds(link, 1, 4)[1]:
        if os.fork() == 0:
            link.close()
            return given
        for number in given:
            os.close(number)
    sys.exit()


def _become(connection: int, *streams: int) -> None:
    """Bear the child and become it; its parent stays, to tell how it ended."""
    with socket.socket(fileno=connection) as link, link.makefile() as asked:
        args, env, cwd, gone = json.load(asked)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        if child := os.fork():
            os.closerange(0, 3)
            for number in streams:
                os.close(number)
            with suppress(OSError):
                link.sendall(f"{child}\n".encode())
            code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            with suppress(OSError):  # it was not waited for
                link.sendall(str(code).encode())
            os._exit(0)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    # What Python keeps of its streams, it found out when it started.
    sys.stdin, sys.stdout = os.fdopen(0), os.fdopen(1, "w")
    sys.stderr = os.fdopen(2, "w", buffering=1, errors="backslashreplace")
    os.chdir(cwd)
    if gone:
        Path(cwd).rmdir()
    _live_in(env)
    sys.argv = [str(Path(sys.executable).with_name("hookd")), *args]


def _live_in(env: Mapping[str, str]) -> None:
    os.environ.clear()
    os.environ.update(env)
    time.tzset()


def _build(model: Any) -> None:
    """Build the shapes of all models once; each child would build those that it uses."""
    for one in model.__subclasses__():
        if one.__module__.startswith("hookd."):
            one.model_rebuild()
        _build(one)


def _use_policies() -> None:
    """Let each policy judge an example, which builds what it builds on first use."""
    from hookd.policies import POLICIES

    for policy in POLICIES:
        example = policy.examples()[0]
        with suppress(Exception):  # facts are missing, or it is no example of the defaults
            policy.opine(example.event, example.facts, policy.options())


def _compile_once() -> None:
    """Let installs copy a native shim that the system's compiler made of the same source before.

    Compiling takes 0.4 s of CPU time, for each of some hundred installs. tests/cli/install/
    test_native_build.py compiles without this.
    """
    from hookd.cli.install import native_build, shims
    from hookd.core.model.shim_paths import SOURCE

    compile_program = native_build._compile
    source = (shims.PACKAGED / SOURCE).read_bytes()

    def compiled(compiler: native_build.Compiler, made: Path) -> str:
        if not compiler.path.startswith("/usr/bin/"):  # a test's own
            return compile_program(compiler, made)
        digest = hashlib.sha256(repr(compiler).encode() + source).hexdigest()[:16]
        place = ROOT / ".pytest_cache" / "installed" / digest
        if place.exists():
            shutil.copyfile(place, made)
            return ""
        if why := compile_program(compiler, made):
            return why
        place.parent.mkdir(parents=True, exist_ok=True)
        copy = place.with_suffix(f".{os.getpid()}")
        shutil.copyfile(made, copy)
        copy.rename(place)
        return ""

    native_build._compile = compiled


def _end(command: Callable[[], None]) -> NoReturn:
    """Run the command to its end, but do not take down what was forked: that takes 30 ms."""
    code: object = 0
    try:
        command()
    except SystemExit as leaving:
        code = leaving.code
    except BaseException:  # noqa: BLE001 - as Python does
        traceback.print_exc()
        code = 1
    for thread in threading.enumerate():
        if not thread.daemon and thread is not threading.current_thread():
            thread.join()
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(code if isinstance(code, int) else int(code is not None))


if __name__ == "__main__":
    # Its commands act as a person's: none of the processes that fire hooks here is above them,
    # nor the agent that the tests may run in.
    if os.fork():
        os._exit(0)
    os.setsid()

    import gc
    from importlib import import_module

    from pydantic import BaseModel

    from hookd.cli import COMMANDS, main
    from hookd.methods import METHODS
    from hookd.paths import daemon_environment

    for module in ("hookd.daemon.app", *(f"hookd.cli.{name}" for _, name, _ in COMMANDS.values())):
        import_module(module)
    list(METHODS.values())  # each is imported on first use
    _build(BaseModel)
    _use_policies()
    _compile_once()
    with suppress(ImportError):
        import_module("re2")  # each daemon imports it
    gc.freeze()
    _become(*_asked(socket.socket(fileno=int(sys.argv[1]))))
    if "--detach" in sys.argv:
        _live_in(daemon_environment())  # as `hookd start` and the shim start it
    _end(main)
