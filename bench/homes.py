"""State directories for measurements: a HOOKD_HOME with a daemon of its own."""

import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from sqlite3 import Connection, connect
from typing import Any

from builds import ROOT, THIS, Build

SCHEMA = ROOT / "daemon" / "hookd" / "store" / "schema.sql"
PAYLOAD = ROOT / "tests" / "payloads" / "PreToolUse.Bash.json"
_EVENT = json.dumps(json.loads(PAYLOAD.read_text("utf-8")), separators=(",", ":"))

PATIENCE = 60
"""Seconds after which a silent daemon or server is a failure."""


@dataclass
class Home:
    """One HOOKD_HOME. `env` is what every process that is started here gets."""

    path: Path
    env: dict[str, str]
    build: Build = THIS

    @property
    def socket(self) -> Path:
        """Where its daemon listens."""
        return self.path / "run" / "hookd.sock"

    @property
    def database(self) -> Path:
        """Its SQLite file."""
        return self.path / "hookd.db"

    @property
    def pid(self) -> int:
        """Its daemon's process."""
        return int(self.socket.with_suffix(".pid").read_text("ascii"))

    def hookd(self, *args: str) -> None:
        """Run the command line; raise CalledProcessError if it fails."""
        command = [self.build.hookd, *args]
        subprocess.run(command, env=self.env, check=True, capture_output=True, timeout=PATIENCE)

    def row(self, sql: str) -> tuple[Any, ...]:
        """Return the first row of a query, read beside the daemon."""
        with closing(connect(f"file:{self.database}?mode=ro", uri=True)) as db:
            return tuple(db.execute(sql).fetchone())


@contextmanager
def home(*, daemon: bool = True, settings: object = None, build: Build = THIS) -> Iterator[Home]:
    """Make a place, with a daemon that answers; nothing is left of both at the end."""
    path = Path(tempfile.mkdtemp(prefix="hkb", dir="/tmp"))
    env = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    place = Home(path, env | {"HOME": str(path), "HOOKD_HOME": str(path)}, build)
    try:
        if settings is not None:
            (path / "settings.json").write_text(json.dumps(settings))
        if daemon:
            place.hookd("start")
        yield place
    finally:
        if place.socket.with_suffix(".pid").exists():
            _ended(place)
        shutil.rmtree(path, ignore_errors=True)


def _ended(place: Home) -> None:
    pid = place.pid
    try:
        place.hookd("stop", "--yes")
    except subprocess.SubprocessError:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


class Link:
    """One connection to a server that answers lines."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(PATIENCE)
        self._socket.connect(str(path))

    def ask(self, line: bytes) -> bytes:
        """Send one line, return the line that answers it."""
        self._socket.sendall(line)
        answer = self._socket.recv(65536)
        while not answer.endswith(b"\n"):
            more = self._socket.recv(65536)
            if not more:
                raise ConnectionError("the server hung up")
            answer += more
        return answer

    def close(self) -> None:
        """Hang up."""
        self._socket.close()


def call(
    session: str, tool_use_id: str, cwd: Path, tool: tuple[str, dict[str, Any]] | None = None
) -> bytes:
    """Return the line that asks hooks.preToolUse about one call, as the real client words it.

    `tool` is the tool's name and its input; without it, the call of the captured payload.
    """
    event = json.loads(_EVENT) | {
        "session_id": session,
        "cwd": str(cwd),
        "tool_use_id": tool_use_id,
        "env": {"CWD": str(cwd), "CLAUDE_PROJECT_DIR": str(cwd), "PATH": "/usr/bin:/bin"},
    }
    if tool:
        event |= {"tool_name": tool[0], "tool_input": tool[1]}
    request = {"jsonrpc": "2.0", "id": 1, "method": "hooks.preToolUse", "params": event}
    return json.dumps(request, separators=(",", ":")).encode() + b"\n"


def session(number: int) -> str:
    """Return a session id of the client's form."""
    return f"{number:08x}-b95a-42d8-86b9-1f4e8aa7a4b7"


_INSERT = (
    "INSERT INTO events (id, at, event, session_id, claude_session_id, tool_name, tool_use_id,"
    " prompt_id, payload, result, delivery_key) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_UPDATE = (
    "UPDATE sessions SET heartbeat_counter = ?, last_heartbeat = ?, last_event_at = ? WHERE id = ?"
)
_AT = "2026-01-31T08:00:00.000Z"
_SESSIONS = 50
_RESULT = json.dumps(
    {
        "hookOutput": None,
        "allow": True,
        "heartbeatCount": 1234,
        "contextUsage": None,
        "overflowWarning": False,
        "pendingPreloads": [],
        "firedRules": [],
        "reason": None,
    },
    separators=(",", ":"),
)


@dataclass(frozen=True)
class Written:
    """What one call causes in the database, ready to be bound: an event, and its session moved."""

    event: tuple[object, ...]
    session: tuple[object, ...]


def written(number: int) -> Written:
    """Return what a call leaves behind, with keys as scattered as hookd's own."""
    owner = number % _SESSIONS + 1
    key = f"{owner * 0x9E3779B9 % 2**48:012x}-{number * 0x9E3779B97F4A7C15 % 2**64:024x}"
    event = (
        number, _AT, "PreToolUse", owner, session(owner), "Bash", f"toolu_{number:018d}",
        "0a5e3de9-7fef-4e12-a412-fc862f7ab4f0", _EVENT, _RESULT, key,
    )  # fmt: skip
    return Written(event, (number, _AT, _AT, owner))


def commit(db: Connection, what: Written) -> None:
    """Do the least that keeps one call: one transaction, one row more and one row changed."""
    db.execute("BEGIN IMMEDIATE")
    db.execute(_INSERT, what.event)
    db.execute(_UPDATE, what.session)
    db.execute("COMMIT")


def fresh_database(path: Path) -> Connection:
    """Return a new database with hookd's own schema and pragmas, and some sessions in it."""
    db = connect(path, isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = NORMAL")
    db.execute("PRAGMA foreign_keys = ON")
    db.execute("PRAGMA cache_size = -16000")
    db.executescript(SCHEMA.read_text("utf-8"))
    db.executemany(
        "INSERT INTO sessions (id, claude_session_id, source, created_at, last_event_at)"
        " VALUES (?, ?, 'seen', ?, ?)",
        [(number, session(number), _AT, _AT) for number in range(1, _SESSIONS + 1)],
    )
    return db
