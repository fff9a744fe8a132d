"""A home with hookd installed, a project in it, a mock model: what each real client works in.

Every wait has an end, and `end` kills every process that still lives in a home.
"""

import os
import pty
import shlex
import signal
import sqlite3
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from clients.mock import Mock

T = TypeVar("T")
PATIENCE = 120
"""Seconds that one command or one run of the client may take."""
QUIET = {
    "HTTP_PROXY": "http://127.0.0.1:9",  # a closed port: no request leaves the machine
    "HTTPS_PROXY": "http://127.0.0.1:9",
    "NO_PROXY": "127.0.0.1",
}


def until(
    condition: Callable[[], T],
    what: str,
    seconds: float = 60,
    state: Callable[[], str] = str,
    *,
    interval: float = 0.05,
) -> T:
    """Return the condition's value once it is true; fail with the state after `seconds`."""
    end = time.monotonic() + seconds
    while not (value := condition()):
        if time.monotonic() > end:
            raise AssertionError(f"not within {seconds:g} s: {what}\n{state()}".strip())
        time.sleep(interval)
    return value


@dataclass
class Place:
    """A home, a project in it, and a mock; a client of some kind runs there."""

    home: Path
    mock: Mock
    env: dict[str, str] = field(default_factory=dict)
    folder: str = "shop"
    patience: float = PATIENCE

    @property
    def project(self) -> Path:
        """Return the folder in which the client runs."""
        return self.home / self.folder

    @property
    def logs(self) -> Path:
        """Return the folder of what the logging hook receives."""
        return Path(self.env["FIRED"])

    @property
    def database(self) -> Path:
        """Return hookd's database."""
        return self.home / ".local/state/hookd/hookd.db"

    @property
    def daemon(self) -> int:
        """Return the process id of the daemon."""
        return int((self.database.parent / "run/hookd.pid").read_text())

    def run(self, *command: str, check: bool = True, **env: str) -> str:
        """Run a command in the project, bounded in time; return stdout."""
        process = subprocess.Popen(
            command,
            cwd=self.project,
            env=self.env | env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        try:
            out, err = process.communicate(timeout=self.patience)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
            raise AssertionError(f"{command[0]} hangs: {out[-500:]} {err[-500:]}") from None
        assert process.returncode == 0 or not check, f"{shlex.join(command)}: {out[-500:]} {err}"
        return out

    def hookd(self, *args: str, check: bool = True, **env: str) -> str:
        """Run hookd as a person at a terminal of their own would; return stdout."""
        return self.run("hookd", *args, check=check, **env)

    def person(self, *args: str) -> str:
        """Run hookd with a terminal as stdin and stdout; return what it printed."""
        ours, theirs = pty.openpty()
        process = subprocess.Popen(
            ("hookd", *args),
            cwd=self.project,
            env=self.env,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
        )
        os.close(theirs)
        timer = threading.Timer(self.patience, os.killpg, (process.pid, signal.SIGKILL))
        timer.start()
        text = b""
        with suppress(OSError):  # the terminal of a process that has ended cannot be read
            while part := os.read(ours, 65536):
                text += part
        code = process.wait()
        timer.cancel()
        os.close(ours)
        assert code == 0, f"hookd {shlex.join(args)}: {text.decode(errors='replace')}"
        return text.decode(errors="replace")

    def rows(self, sql: str, *values: Any) -> list[dict[str, Any]]:
        """Return rows of hookd's database."""
        address = f"file:{self.database}?mode=ro"
        with closing(sqlite3.connect(address, uri=True, timeout=10)) as database:
            database.row_factory = sqlite3.Row
            return [dict(row) for row in database.execute(sql, values)]

    def recorded(self, event: str = "") -> list[dict[str, Any]]:
        """Return the rows of `events`, canaries of doctor excepted."""
        rows = self.rows("SELECT * FROM events WHERE kind = 'hook' ORDER BY id")
        return [row for row in rows if event in ("", row["event"])]

    def compare(self) -> str:
        """Return the difference between fired and recorded events; empty where there is none."""
        raise NotImplementedError

    def fired_events(self) -> frozenset[str]:
        """Return the names of the events that the client fired."""
        raise NotImplementedError

    def settle(self) -> None:
        """Wait until every fired event is recorded once; fail with the difference."""
        with suppress(AssertionError):
            until(lambda: not self.compare(), "settled", 30)
        assert not (difference := self.compare()), difference
        assert self.fired_events(), "the client fired no event"


def furnish_home(home: Path, hookd: Path, *projects: str) -> dict[str, str]:
    """Make a home with hookd on its PATH and empty projects; return its environment."""
    for folder in ("bin", "fired", "tmp", *projects):
        (home / folder).mkdir(parents=True)
    (home / "bin/hookd").symlink_to(hookd)
    (home / ".gitconfig").write_text("[user]\n\tname = Ana\n\temail = ana@example.com\n")
    return QUIET | {
        "PATH": f"{home}/bin:{os.environ['PATH']}",
        "HOME": str(home),
        "TMPDIR": str(home / "tmp"),
        "FIRED": str(home / "fired"),
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
    }


def send(home: Path, number: signal.Signals) -> int:
    """Send a signal to every process whose HOME is this folder or below it; return how many."""
    mark, count = b"\0HOME=" + os.fsencode(home), 0
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            lives = b"\0" + (folder / "environ").read_bytes()
            if mark + b"\0" in lives or mark + b"/" in lives:
                os.kill(int(folder.name), number)
                count += 1
    return count


def end(home: Path) -> None:
    """Kill every process whose HOME is this folder or below it."""
    send(home, signal.SIGKILL)
    if not Path("/proc/self/environ").exists():  # macOS: the daemon alone outlives its parent
        for file in home.glob(".local/state/hookd/run/hookd.pid"):
            with suppress(OSError, ValueError):
                os.kill(int(file.read_text()), signal.SIGKILL)
