"""A host with a real daemon and a real sync process, whose agents fire events through the shim."""

import json
import os
import random
import signal
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from pathlib import Path
from sqlite3 import OperationalError, connect
from threading import Event, Thread
from typing import Any

from fleet_load.writer_host import LEFT
from hookd.core.fleet.credential import Credential, credential_text
from hookd.system.fleet_files import sync_process
from support.home import Home, Window, place, window_in

AGENTS = 3
"""Threads that fire events of the sessions of a host, one at a time each."""

DISK = 96 * 1024 * 1024
"""Size of a small disk, in bytes."""

_COMMANDS = ("ls", "git status --short", "make test", "rm -rf ~", "cat README.md")


@dataclass
class RealHost:
    """A home whose daemon is in the fleet. Its first events in the fleet come after `after`."""

    name: str
    mode: str
    home: Home
    sessions: int
    rate: float
    after: int = 0
    fired: int = 0
    windows: list[list[Window]] = field(default_factory=list)
    _stop: Event = field(default_factory=Event)
    _threads: list[Thread] = field(default_factory=list)
    _starting: Thread | None = None

    def joins(self, given: Credential) -> None:
        """Start the daemon and join the fleet; the sync process runs from now on."""
        self.home.hookd("start")
        file = self.home.path / f"{self.name}.json"
        file.touch(mode=0o600)
        file.write_text(credential_text(given))
        ((self.after,),) = self.home.rows("SELECT coalesce(max(id), 0) FROM events")
        self.home.hookd("fleet", "join", str(file), "--mode", self.mode)
        file.unlink()

    def works(self) -> None:
        """Open the sessions, and let their agents work until `rests`."""
        made = [window_in(self.home) for _ in range(self.sessions)]
        self.windows = [made[number::AGENTS] for number in range(AGENTS)]
        self._threads = [
            Thread(target=self._live, args=(one,), daemon=True) for one in self.windows
        ]
        for thread in self._threads:
            thread.start()

    def rests(self) -> None:
        """Let the agents finish what they do."""
        self._stop.set()
        for thread in self._threads:
            thread.join(90)

    def _live(self, windows: list[Window]) -> None:
        chance = random.Random()
        for window in windows:
            self._fires(window, "SessionStart", source="startup")
            if self._stop.is_set():
                return
        while not self._stop.wait(AGENTS / self.rate * chance.uniform(0.5, 1.5)):
            place = chance.randrange(len(windows))
            window = windows[place]
            if chance.random() < 0.03:
                self._fires(window, "SessionEnd")
                windows[place] = window_in(self.home)
                self._fires(windows[place], "SessionStart", source="startup")
            elif chance.random() < 0.15:
                self._fires(window, chance.choice(("UserPromptSubmit", "Stop")))
            else:
                command = chance.choice(_COMMANDS)
                self._fires(window, "PreToolUse", tool_name="Bash", tool_input={"command": command})

    def _fires(self, window: Window, name: str, **more: Any) -> None:
        """Send an event through the shim; whatever came of it, its database says what counts."""
        with suppress(subprocess.TimeoutExpired):
            self.home.hook(window.event(name, **more), env=window.identity)
            self.fired += 1

    def forgets(self) -> list[str]:
        """Forget an ended session, as a person does; return the notes of it."""
        ended = "SELECT max(id) FROM sessions WHERE ended_at IS NOT NULL AND agent_id IS NULL"
        ((number,),) = self.home.rows(ended)
        if number is None:
            return []
        notes = note_of(self.home.database, number, self.after)
        done = self.home.hookd("session", "forget", str(number), "--yes", check=False)
        return [notes] if done.returncode == 0 else []

    def sync(self) -> int | None:
        """Return the sync process."""
        return sync_process(self.home.path / "fleet" / "sync.lock")

    def kills_sync(self) -> None:
        """Kill the sync process."""
        if number := self.sync():
            with suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)

    def kills_daemon(self) -> None:
        """Kill the daemon."""
        with suppress(OSError, ValueError):
            os.kill(self.home.pid, signal.SIGKILL)

    def starts(self) -> None:
        """Start what does not run of daemon and sync process, as a person does; do not wait."""
        self.started()
        self._starting = Thread(target=self.home.hookd, args=("start",), kwargs={"check": False})
        self._starting.start()

    def started(self) -> None:
        """Wait until what was started runs."""
        if self._starting is not None:
            self._starting.join(120)

    def waiting(self) -> int:
        """Return how many rows wait."""
        with suppress(OperationalError):
            ((number,),) = self.home.rows("SELECT waiting FROM fleet_member")
            return int(number)
        return 0

    def logged(self) -> list[str]:
        """Return the lines of the sync process's log."""
        file = self.home.path / "hookd-sync.log"
        return file.read_text("utf-8").splitlines() if file.exists() else []


def note_of(database: Path, session: int, after: int) -> str:
    """Return a note of the events of a session, which is to be forgotten."""
    with closing(connect(f"file:{database}?mode=ro", uri=True)) as db:
        events = [row for row in db.execute(LEFT, (session,)) if row[0] > after]
    return json.dumps({"session": session, "events": events})


@contextmanager
def small_disk(path: Path) -> Iterator[None]:
    """A small file system at a folder, if this user may mount one."""
    if os.geteuid():
        yield
        return
    words = ["mount", "-t", "tmpfs", "-o", f"size={DISK},mode=0700", "hookd", str(path)]
    subprocess.run(words, check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(path)], check=True)


def fill(folder: Path) -> None:
    """Leave no room on the disk of a folder."""
    with (folder / "ballast").open("wb", buffering=0) as file, suppress(OSError):
        while file.write(b"x" * 65_536) == 65_536:
            pass
    with (folder / "ballast").open("ab", buffering=0) as file, suppress(OSError):
        while file.write(b"x" * 512):
            pass


@contextmanager
def real_host(
    name: str, mode: str, sessions: int, rate: float, *, disk: bool
) -> Iterator[RealHost]:
    """A home of its own; `disk`: on a small disk. Whatever runs there is ended."""
    with place() as home:
        mounted = small_disk(home.path) if disk else nullcontext()
        with mounted:
            try:
                yield RealHost(name, mode, home, sessions, rate)
            finally:
                (home.path / "ballast").unlink(missing_ok=True)
                home.hookd("stop", "--yes", check=False)
                home.ends()
