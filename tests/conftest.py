"""A daemon of the test's own: real process, real socket, real database, real shim."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from sqlite3 import connect
from typing import Any

import pytest

SHIM = Path(__file__).parent.parent / "daemon" / "hookd" / "shims" / "hookd-hook"
PAYLOADS = Path(__file__).parent / "payloads"
HOOKD = Path(sys.executable).with_name("hookd")


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
    def pid(self) -> int:
        return int(self.socket.with_suffix(".pid").read_text())

    def hookd(self, *args: str, check: bool = True, **more: Any) -> subprocess.CompletedProcess[str]:
        """Run the command line; with `check` its failure is the test's."""
        done = subprocess.run(
            [HOOKD, *args],
            env=self.env | more.pop("env", {}),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
            **more,
        )
        assert done.returncode == 0 or not check, done.stderr
        return done

    def rpc(self, method: str, params: Any = None) -> Any:
        """Return a method's result; an error of the daemon is the test's failure."""
        request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}}
        answer = json.loads(self.line(json.dumps(request).encode()))
        assert "error" not in answer, answer
        return answer["result"]

    def line(self, line: bytes) -> bytes:
        """Send one line, return the line that answers it."""
        with socket.socket(socket.AF_UNIX) as link:
            link.settimeout(60)
            link.connect(str(self.socket))
            link.sendall(line + b"\n")
            with link.makefile("rb") as answers:
                return answers.readline()

    def hook(
        self, event: dict[str, Any] | bytes, *args: str, env: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        """Send one event through the real shim, as Claude Code does: one line and a newline."""
        payload = event if isinstance(event, bytes) else json.dumps(event).encode() + b"\n"
        name = event.get("hook_event_name", "") if isinstance(event, dict) else "PreToolUse"
        command = [str(SHIM), "--event", name, "--socket", str(self.socket), "--deadline", "20"]
        return subprocess.run(
            [*command, "--hookd", str(HOOKD), *args],
            input=payload,
            env=self.env | (env or {}),
            capture_output=True,
            timeout=60,
            check=False,
        )

    def said(self, event: dict[str, Any], **more: Any) -> Any:
        """Return what the model's client gets for one event, or None for silence."""
        done = self.hook(event, **more)
        assert (done.returncode, done.stderr) == (0, b""), done
        return json.loads(done.stdout) if done.stdout else None

    def rows(self, sql: str, *args: object) -> list[Any]:
        """Return what the database holds, read as `sqlite3` would: beside the daemon."""
        with closing(connect(f"file:{self.database}?mode=ro", uri=True)) as db:
            return db.execute(sql, args).fetchall()


@pytest.fixture
def home() -> Iterator[Home]:
    """A place without a daemon; whatever is started there is ended."""
    # Not pytest's tmp_path: a Unix socket's path has 103 bytes.
    path = Path(tempfile.mkdtemp(prefix="hk", dir="/tmp"))
    env = {"PATH": os.environ["PATH"], "HOME": str(path), "HOOKD_HOME": str(path)}
    place = Home(path, env)
    try:
        yield place
    finally:
        with_daemon = place.socket.with_suffix(".pid").exists()
        if with_daemon and place.hookd("stop", check=False).returncode != 0:
            os.kill(place.pid, signal.SIGKILL)
        shutil.rmtree(path, ignore_errors=True)


@pytest.fixture
def daemon(home: Home) -> Home:
    """A place with a daemon that answers."""
    home.hookd("start")
    return home


def payload(name: str, **more: Any) -> dict[str, Any]:
    """Return what the real client sent for an event, with `more` put in."""
    value: dict[str, Any] = json.loads((PAYLOADS / f"{name}.json").read_text())
    return value | more
