"""A daemon of the test's own: real process, real socket, real database, real shim."""

import fcntl
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from sqlite3 import connect
from typing import Any, TextIO, TypeVar
from uuid import uuid4

from hookd.system import stop_marker
from support import forkserver
from support.paths import ROOT
from support.payloads import header, payload

SHIM = ROOT / "daemon" / "hookd" / "shims" / "hookd-hook"

HOOKD = Path(sys.executable).with_name("hookd")

FOR_PERSONS = {
    "daemon.resume",
    "fleet.join",
    "fleet.leave",
    "fleet.received",
    "fleet.shipped",
    "fleet.synced",
    "fleet.claims",
    "daemon.stop",
    "daemon.pause",
    "userHooks.trust",
    "userHooks.untrust",
    "guards.remove",
}
"""Methods that are refused to a process that fires hooks, as this one does."""

T = TypeVar("T")

# One zone wherever the tests run, and not UTC: times for people are local. POSIX form, so that it
# needs no zone files.
os.environ["TZ"] = "CET-1CEST,M3.5.0,M10.5.0/3"

time.tzset()


def until(condition: Callable[[], T], seconds: float = 30) -> T:
    """Return what the condition says once it is true; give up after `seconds`."""
    end = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < end, "it did not come true"
        time.sleep(0.01)
    return value


def free(lock: TextIO) -> bool:
    """Whether no daemon lives: it lets go of its lock last."""
    try:
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@dataclass
class Home:
    """One HOOKD_HOME. `env` is what every process that is started here gets."""

    path: Path
    env: dict[str, str] = field(default_factory=dict)

    @property
    def socket(self) -> Path:
        return self.path / "run" / "hookd.sock"

    @property
    def database(self) -> Path:
        return self.path / "hookd.db"

    @property
    def stopped(self) -> Path:
        """Stands while the user wants no daemon."""
        return self.socket.with_suffix(".stopped")

    @property
    def pid(self) -> int:
        return int(self.socket.with_suffix(".pid").read_text())

    def hookd(
        self,
        *args: str,
        check: bool = True,
        env: dict[str, str] | None = None,
        cwd: object = None,
        input: str = "",  # noqa: A002 - subprocess calls it so
    ) -> subprocess.CompletedProcess[str]:
        """Run the command line; with `check` its failure is the test's."""
        done = forkserver.run(args, self.env | (env or {}), cwd, input)
        assert done.returncode == 0 or not check, done.stderr
        return done

    def serves(self) -> "Home":
        """Start a daemon that answers. What `hookd start` does and says is shown elsewhere."""
        self.stopped.unlink(missing_ok=True)
        said = forkserver.start(("serve", "--detach"), self.env)
        assert self.socket.exists(), said
        return self

    def ends(self) -> None:
        """End what serves here, as `hookd stop` does; kill what does not end."""
        try:
            stop_marker.write(self.stopped)  # no late hook is to start another
            with self.link(2) as link, (self.path / "hookd.lock").open() as lock:
                link.sendall(b'{"jsonrpc": "2.0", "id": 1, "method": "daemon.status"}\n')
                link.recv(1)
                os.kill(self.pid, signal.SIGTERM)
                until(lambda: free(lock), 20)
        except (OSError, AssertionError, ValueError):
            with suppress(ProcessLookupError, FileNotFoundError):
                os.kill(self.pid, signal.SIGKILL)

    def restarts(self) -> None:
        """End what serves here, and start another."""
        self.ends()
        self.serves()

    def settings(self, value: object) -> None:
        """Write the settings that the next daemon reads; a text is written as it is."""
        text = value if isinstance(value, str) else json.dumps(value)
        (self.path / "settings.json").write_text(text)

    def rpc(self, method: str, params: Any = None) -> Any:
        """Return a method's result; an error of the daemon is the test's failure."""
        if method in FOR_PERSONS:
            return json.loads(self.hookd("rpc", method, json.dumps(params or {})).stdout)
        request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}}
        answer = json.loads(self.line(json.dumps(request).encode()))
        assert "error" not in answer, answer
        return answer["result"]

    @contextmanager
    def link(self, patience: float = 60) -> Iterator[Any]:
        """Open a connection of the test's own."""
        with socket.socket(socket.AF_UNIX) as link:
            link.settimeout(patience)
            link.connect(str(self.socket))
            yield link

    def line(self, line: bytes) -> bytes:
        """Send one line, return the line that answers it."""
        with self.link() as link:
            link.sendall(line + b"\n")
            with link.makefile("rb") as answers:
                return answers.readline()

    def bare(
        self, body: bytes, name: str = "PreToolUse", env: Any = None, client: str = ""
    ) -> dict[str, Any]:
        """Send one event as the shim does, without the shim; return the JSON-RPC answer."""
        with self.link() as link:
            link.sendall(header(name, env, client) + body + b"\x1e")
            with link.makefile("rb") as answers:
                assert b"hooks.accepted" in answers.readline()
                answer: dict[str, Any] = json.loads(answers.readline())
                assert answers.read() == b"", "the daemon ends the connection after its answer"
                return answer

    def shim(self, event: str, options: tuple[str, ...]) -> list[str]:
        """Return the words that start the shim of bash, with options of the older form."""
        words = [str(SHIM), "--event", event, "--socket", str(self.socket), "--deadline", "20"]
        return [*words, *options]

    def hook(
        self, event: dict[str, Any] | bytes, *args: str, env: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        """Send one event through the real shim, as Claude Code does: one line and a newline."""
        payload = event if isinstance(event, bytes) else json.dumps(event).encode() + b"\n"
        name = event.get("hook_event_name", "") if isinstance(event, dict) else "PreToolUse"
        return subprocess.run(
            self.shim(name, ("--hookd", str(HOOKD), *args)),
            input=payload,
            env=self.env | (env or {}),
            capture_output=True,
            timeout=60,
            check=False,
        )

    def said(self, event: dict[str, Any], args: tuple[str, ...] = (), **more: Any) -> Any:
        """Return what the model's client gets for one event, or None for silence.

        `args` are added to the shim's, so that they are of another registration.
        """
        done = self.hook(event, *args, **more)
        assert (done.returncode, done.stderr) == (0, b""), done
        return json.loads(done.stdout) if done.stdout else None

    def rows(self, sql: str, *args: object) -> list[Any]:
        """Return what the database holds, read as `sqlite3` would: beside the daemon."""
        with closing(connect(f"file:{self.database}?mode=ro", uri=True)) as db:
            return db.execute(sql, args).fetchall()

    def logged(self, message: str) -> list[dict[str, Any]]:
        """Return the lines of the daemon's log that say this."""
        lines = (self.path / "hookd.log").read_text("utf-8").splitlines()
        return [line for line in map(json.loads, lines) if line["message"] == message]


@dataclass
class Window:
    """One conversation of Claude Code, in a project of its own."""

    home: Home
    project: str
    id: str = field(default_factory=lambda: str(uuid4()))
    env: dict[str, str] = field(default_factory=dict)

    @property
    def identity(self) -> dict[str, str]:
        return {"CLAUDE_PROJECT_DIR": self.project} | self.env

    def event(self, name: str, **more: Any) -> dict[str, Any]:
        """Return an event of this conversation, told from all others by its ids."""
        value = payload(name, session_id=self.id, cwd=self.project)
        ids = {key: uuid4().hex for key in ("tool_use_id", "prompt_id") if key in value}
        return value | ids | more

    def says(self, name: str, **more: Any) -> Any:
        """Send an event through the shim; return its answer."""
        return self.home.said(self.event(name, **more), env=self.identity)

    def calls(self, tool: str, *, event: dict[str, Any] | None = None, **tool_input: Any) -> Any:
        """Let a tool be about to run; return the answer. `event` adds fields to the event."""
        more = {"tool_name": tool, "tool_input": tool_input} | (event or {})
        return self.says("PreToolUse", **more)

    def bash(self, command: str = "ls", **event: Any) -> Any:
        """Let a command be about to run."""
        return self.calls("Bash", command=command, event=event)

    def rpc(self, method: str, **params: Any) -> Any:
        """Call a method in this project, outside of the conversation."""
        return self.home.rpc(method, params | {"env": self.identity})

    def starts(self, skill: str = "implement", **metadata: int) -> Any:
        """Start an effort from outside; its task is a new folder of the project."""
        task = f"{self.project}/task-{uuid4().hex[:6]}"
        return self.rpc("effort.start", taskDir=task, skill=skill, metadata=metadata)

    def sessions(self, columns: str, where: str = "agent_id IS NULL") -> list[Any]:
        """Return columns of this conversation's rows, oldest first."""
        sql = f"SELECT {columns} FROM sessions WHERE claude_session_id = ? AND {where} ORDER BY id"
        return self.home.rows(sql, self.id)

    @property
    def count(self) -> int:
        """The heartbeat of the newest row."""
        number: int = self.sessions("heartbeat_counter")[-1][0]
        return number


@contextmanager
def place() -> Iterator[Home]:
    """A place without a daemon; whatever is started there is ended."""
    # Not pytest's tmp_path: a Unix socket's path has 103 bytes.
    path = Path(tempfile.mkdtemp(prefix="hk", dir="/tmp"))
    env = {name: os.environ[name] for name in ("PATH", "TZ")}
    env |= {"HOME": str(path), "HOOKD_HOME": str(path)}
    home = Home(path, env)
    try:
        yield home
    finally:
        if home.socket.exists() or home.socket.with_suffix(".pid").exists():
            home.ends()
        while found := strays(path):  # again: a process may have started another
            for pid in found:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        shutil.rmtree(path, ignore_errors=True)


def strays(path: Path) -> list[int]:
    """Return who still runs of a place, such as a daemon that a hook starts behind its own end.

    It would create the place again. Without /proc none is found.
    """
    mark = f"HOME={path}\0".encode()  # HOOKD_HOME, or the home itself
    while True:
        found, unclear = [], False
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):  # it has ended meanwhile, or is another user's
                environ = (process / "environ").read_bytes()
                if mark in environ:
                    found.append(int(process.name))
                unclear |= not environ and becoming(process)
        if found or not unclear:
            return found


def becoming(process: Path) -> bool:
    """Whether a process is between two programs just now: then nothing can be read of it."""
    state, parent = (process / "stat").read_text().rpartition(")")[2].split()[:2]
    bare = not (process / "cmdline").read_bytes()
    return bare and state not in "ZX" and parent not in ("0", "2")  # 2 has the kernel's own threads


@contextmanager
def serving(home: Home, *command: str | Path) -> Iterator[subprocess.Popen[str]]:
    """A daemon in the foreground, ready; it is gone when the block ends. `command` starts it."""
    command = command or (HOOKD, "serve")
    with subprocess.Popen(command, env=home.env, stderr=subprocess.PIPE, text=True) as one:
        try:
            number = home.socket.with_suffix(".pid")
            until(lambda: number.exists() and number.read_text() == f"{one.pid}\n")
            yield one
        finally:
            one.kill()


def window_in(home: Home, **env: str) -> Window:
    """Return a new conversation, in a new project."""
    project = home.path / "projects" / uuid4().hex[:8]
    project.mkdir(parents=True)
    return Window(home, str(project), env=env)
