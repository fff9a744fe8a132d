"""Entry point of `make day`: a day with the newest client in three repositories, and its diary.

Twelve sessions make more than 400 tool calls. In between the client compacts twice, hookd is
upgraded with sessions open, every process of the home is stopped for a while and continued, and the
disk of the home is full. The exit code is 1 where a call was lost, recorded twice or wrongly held
back, or where the diary has an entry without a reason.
"""

import argparse
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import venv
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import click

from clients.client import Scene, Terminal, furnish, identity, trust
from clients.day_diary import Diary
from clients.day_work import Repository, asked, chapter, clean, guarded, repositories
from clients.install import CACHE, ROOT, MissingError, Programs, install_client, require
from clients.mock import TOO_LONG, Mock
from clients.models.turn import Turn, bash, call
from clients.place import end, send, until
from clients.run_clients import NEWEST, exclusive
from clients.scenarios import SAVE
from hookd import __version__

HOME = CACHE / "day/home"
LOGS = CACHE / "day/logs"
SIZE = "900m"
OLD = "0.0.9"
PATIENCE = 900
"""Seconds that one prompt or command may take."""
BYPASS = ("--permission-mode", "bypassPermissions", "--model", "claude-haiku-4-5")
SUBAGENT = {"subagent_type": "general-purpose", "description": "Look", "run_in_background": False}
LEAST_CALLS, LEAST_SESSIONS = 400, 12


@dataclass
class Day:
    """The home, what was done in it, and the diary."""

    main: Scene
    diary: Diary
    places: dict[str, Repository]
    part: str = ""
    pieces: int = 0
    mocks: ExitStack = field(default_factory=ExitStack)
    lost: Counter[str] = field(default_factory=Counter)  # what the diary has already
    full: Counter[str] = field(default_factory=Counter)  # events while the disk was full

    def begins(self, part: str) -> None:
        """Collect what the part before has left, and name the next one."""
        if self.part:
            self.settle()
            self.diary.collect(self.part)
        self.part = part
        click.echo(f"{time.strftime('%H:%M:%S')} {part}", err=True)

    def user(self, *line: str, env: Mapping[str, str] | None = None) -> str:
        """Run a command as the user at another terminal would; return stdout."""
        done = subprocess.run(
            line,
            cwd=self.main.home,
            env=env or self.main.env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        said = {"code": done.returncode, "out": done.stdout, "err": done.stderr}
        self.diary.asked(self.part, {"line": " ".join(line), **said})
        return done.stdout

    def client(self, name: str, where: str, **env: str) -> Scene:
        """Return a scene for one client with a mock of its own, in one of the repositories."""
        mock = self.mocks.enter_context(Mock(limit=500))
        logs = LOGS / name
        logs.mkdir()
        env = self.main.env | {"FIRED": str(logs), "ANTHROPIC_BASE_URL": mock.url} | env
        return replace(self.main, mock=mock, env=env, folder=where)

    def piece(self, where: str, logs: bool = False) -> list[Turn]:
        """Return the turns of the next piece of work in a repository."""
        self.pieces += 1
        return chapter(self.places[where], self.pieces, logs)

    def prints(
        self, name: str, where: str, *extra: Turn, logs: bool = False, **env: str
    ) -> dict[str, Any]:
        """Work on one piece in print mode, with log entries or not; return the client's result."""
        one = self.client(name, where, **env)
        turns = [*self.piece(where, logs), *extra]
        if "AGENT_ID" in env:
            turns.insert(0, bash(f"hookd effort start tasks/{env['AGENT_ID']} implement"))
        result = one.asks(f"{name}: next piece", *turns, "The piece is done.", options=BYPASS)
        assert result["result"] == "The piece is done.", result
        return result

    def settle(self) -> None:
        """Wait until all events are recorded that have to be; write down the difference."""
        end_at = time.monotonic() + 15
        while (lost := self._lost()) - self.lost and time.monotonic() < end_at:
            time.sleep(0.5)
        for what, count in (lost - self.lost).items():
            self.diary.write(self.part, "events", f"{what} x{count}")
        self.lost |= lost

    def _lost(self) -> Counter[str]:
        """Return events that were fired and not recorded, or recorded and not fired."""
        fired, kept = self.fired(), Counter(map(identity, self.payloads()))
        difference = Counter({f"lost: {one}": n for one, n in (fired - kept - self.full).items()})
        return difference + Counter(
            {f"recorded, not fired: {one}": n for one, n in (kept - fired).items()}
        )

    def fired(self) -> Counter[str]:
        """Return what the clients have fired."""
        return Counter(map(identity, self.main.fired()))

    def payloads(self) -> Iterator[dict[str, Any]]:
        """Yield what hookd has recorded."""
        return (json.loads(row["payload"]) for row in self.main.recorded())


def morning(day: Day) -> None:
    """Work with the older version: print mode, a terminal with an effort, a compaction."""
    day.begins("morning, hookd 0.0.9")
    day.prints("session-1", "hookd", guarded(day.main.home), *asked(1))
    full = Turn(bash("git status --short").content, tokens=190_000)
    day.prints("session-2", "asyncio", full, TOO_LONG, bash("git log -1 --oneline"))
    compacted = day.main.fired("PreCompact")
    assert [one["trigger"] for one in compacted] == ["auto"], compacted
    day.user("hookd", "fleet")
    day.user("hookd", "events", "-n", "5")


def open_terminals(day: Day, stack: ExitStack) -> dict[str, Terminal]:
    """Open three sessions that stay open across the upgrade; one works on an effort."""
    day.begins("three terminals")
    made = {}
    for number, where, env in (
        (3, "click", {"AGENT_ID": "orders"}),
        (4, "hookd", {}),
        (5, "asyncio", {}),
    ):
        one = day.client(f"session-{number}", where, **env)
        made[where] = stack.enter_context(one.terminal(*BYPASS))
    orders = made["click"]
    orders.asks("start the effort", bash("hookd effort start tasks/pages implement"), "started")
    orders.asks("read the code", *day.piece("click", logs=True), "The piece is done.")
    pieces = made["hookd"]
    pieces.scene.mock.script(
        SUBTASK=[bash("git log --oneline -3"), guarded(day.main.home), bash("ls"), "I looked."]
    )
    pieces.asks("look first", call("Agent", prompt="SUBTASK: look", **SUBAGENT), "looked")
    pieces.asks("next piece", *day.piece("hookd"), "The piece is done.")
    pieces.types("/compact")
    pieces.waits_for("PostCompact")
    pieces.asks("go on", bash("git status --short"), "done")
    made["asyncio"].asks("hello", bash("git status --short"), "Hi.")
    return made


def upgrade(day: Day, terminals: dict[str, Terminal]) -> None:
    """Upgrade hookd as the README says while one client works and another waits for its model."""
    day.begins("upgrade")
    waiting = terminals["click"]
    waiting.scene.mock.script(Turn(bash("git log -1 --oneline").content, held=True), "went on")
    waiting.types("think about the next step")
    stops = len(waiting.scene.fired("Stop"))
    until(lambda: "think about" in waiting.scene.mock.sent()[-1], "the request", 30)
    pip = str(day.main.home / ".hookd/bin/pip")
    with ThreadPoolExecutor(1) as pool:
        quiet = ("--quiet", "--quiet", "--disable-pip-version-check")
        line = (pip, "install", *quiet, "--upgrade", str(ROOT))
        done = pool.submit(day.user, *line, env=os.environ)  # the clients have no network
        while not done.done():
            terminals["asyncio"].asks(
                f"while it is installed {time.monotonic_ns()}",
                *(bash(f"git log -1 --format=%h-{n}") for n in range(4)),
                "done",
            )
        done.result()
    day.user("hookd", "install")
    day.user("hookd", "start")
    assert "0.1.0" in day.user("hookd", "--version")
    day.user("hookd", "status")
    waiting.scene.mock.release()
    waiting.waits_for("Stop", stops + 1)
    for name, terminal in terminals.items():
        terminal.asks(f"go on with {name}", *day.piece(name, name == "click"), "The piece is done.")


def handover(day: Day, terminal: Terminal) -> None:
    """Clear the window of the session with the effort; the next one reads the handover."""
    day.begins("handover across /clear")
    text = "GET /orders takes page and size."
    terminal.asks("write the handover", bash(SAVE), "saved")
    terminal.types("/clear")
    terminal.waits_for("SessionStart", 2)
    terminal.asks("continue", bash("git status --short"), "done")
    terminal.asks("and on", *day.piece("click", logs=True), "The piece is done.")
    assert terminal.scene.mock.sent()[-1].count(f"### Summary\n{text}") == 1


def sleep(day: Day, terminals: dict[str, Terminal], seconds: float) -> None:
    """Stop every process of the home for a while, one client in the middle of a call."""
    day.begins(f"sleep of {seconds:g} s")
    busy = terminals["asyncio"]
    busy.scene.mock.script(bash("sleep 3; touch build-awake; rm build-awake; echo awake"), "awake")
    stops, calls = len(busy.scene.fired("Stop")), len(busy.scene.fired("PreToolUse"))
    busy.types("call before the lid closes")
    busy.waits_for("PreToolUse", calls + 1)
    assert send(day.main.home, signal.SIGSTOP) >= 4
    time.sleep(seconds)
    send(day.main.home, signal.SIGCONT)
    busy.waits_for("Stop", stops + 1)
    assert "awake" in busy.scene.mock.sent()[-1]
    for name, terminal in terminals.items():
        terminal.asks(f"good morning {name}", guarded(day.main.home), bash("git status -s"), "done")
    day.user("hookd", "status")


def afternoon(day: Day) -> None:
    """Work in two repositories at the same time, and resume a session of the morning."""
    day.begins("afternoon")
    first = day.main.fired("SessionStart")[0]["session_id"]
    with ThreadPoolExecutor(2) as pool:
        jobs = [
            pool.submit(day.prints, "session-6", "click", guarded(day.main.home)),
            pool.submit(day.prints, "session-7", "asyncio", *asked(7)),
        ]
        for job in jobs:
            job.result()
    again = day.client("session-1-again", "hookd")
    turns = (*day.piece("hookd"), "The piece is done.")
    result = again.asks("resumed", *turns, options=("--resume", first, *BYPASS))
    assert result["session_id"] == first


def full_disk(day: Day) -> None:
    """Fill the home's file system in the middle of a session, and free it again."""
    day.begins("full disk")
    one = day.client("session-8", "click", TMPDIR=str(LOGS))
    with one.terminal(*BYPASS) as terminal:
        terminal.asks("before", *day.piece("click"), "The piece is done.")
        day.settle()
        before = day.fired()
        with closing(sqlite3.connect(day.main.database, timeout=10)) as database:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # what is there already has room
        ballast = day.main.home / "ballast"
        with ballast.open("wb", buffering=0) as file, suppress(OSError):
            while file.write(b"x" * 4096):
                pass
        calls = (bash("git log -2 --oneline"), guarded(day.main.home), bash("git status --short"))
        terminal.asks("no room", *calls, *calls, "The disk is full.")
        assert "destructive-guard" in terminal.scene.mock.sent()[-1]
        day.user("hookd", "status")
        ballast.unlink()
        day.full = day.fired() - before
        terminal.asks("room again", *day.piece("click"), "The piece is done.")
        terminal.ends()
    unkept = day.full - Counter(map(identity, day.payloads()))
    counts = f"{day.full.total()} events while the disk was full, {unkept.total()} not kept"
    click.echo(f"{counts}; all were judged", err=True)
    day.user("hookd", "status")


def evening(day: Day) -> None:
    """Work with the profile of the requirements: efforts, a prompt in between, todos."""
    day.begins("evening, profile workflow")
    day.user("hookd", "policies", "profile", "workflow")
    # A session joins the latest effort of its project now, which wants log entries.
    day.prints("session-9", "asyncio", logs=True, AGENT_ID="reports")
    one = day.client("session-10", "click")
    with one.terminal(*BYPASS) as terminal:
        first, *rest = day.piece("click", logs=True)
        one.mock.script(replace(first, held=True), *rest, "The piece is done.", "Sorted, too.")
        terminal.types("pages of the report")
        until(one.mock.sent, "the first request", 30)
        terminal.types("also sort the report by date")
        one.mock.release()
        terminal.waits_for("UserPromptSubmit", 2)
        terminal.waits_for("Stop")
        until(lambda: any("sort the report" in text for text in one.mock.sent()), "the prompt", 60)
        terminal.ends()
    day.prints("session-11", "hookd", guarded(day.main.home))
    day.prints("session-12", "asyncio", logs=True)


def finish(day: Day) -> list[str]:
    """Look at the whole day; return what is wrong."""
    day.begins("end")
    day.user("hookd", "doctor")
    day.user("hookd", "status")
    day.settle()
    day.diary.collect(day.part)
    main = day.main
    calls = Counter(one["tool_use_id"] for one in main.fired("PreToolUse"))
    sessions = {one["session_id"] for one in main.fired()}
    counts = (
        f"{len(calls)} tool calls in {len(sessions)} sessions of {len(day.places)} repositories"
    )
    compactions = len(main.fired("PostCompact"))
    click.echo(
        f"{counts}, {compactions} compactions, {sum(day.fired().values())} events\n{day.diary}"
    )
    wrong = [f"{place.name} is not clean" for place in day.places.values() if clean(place)]
    if len(calls) < LEAST_CALLS or len(sessions) < LEAST_SESSIONS or compactions < 2:
        wrong.append(f"the day is too short: {counts}, {compactions} compactions")
    if not (main.home / "keep/photo").exists():
        wrong.append("a guarded call ran")
    return wrong + [f"unexpected: {entry}" for entry in day.diary.unexpected()]


@contextmanager
def begun(claude: Path, revision: str) -> Iterator[Day]:
    """Make the home on a file system of its own, with an older hookd; remove it at the end."""
    unmounted()
    shutil.rmtree(HOME.parent, ignore_errors=True)
    for folder in (HOME, LOGS):
        folder.mkdir(parents=True)
    mount = ("mount", "-t", "tmpfs", "-o", f"size={SIZE},mode=0755", "hookd-day", str(HOME))
    if subprocess.run(mount, check=False).returncode:
        raise MissingError("a tmpfs needs root on Linux. Next: run make day there as root")
    try:
        program = HOME / ".hookd/bin/hookd"
        programs = Programs(NEWEST, claude, program)
        env = furnish(HOME, programs) | {"FIRED": str(LOGS)}
        main = Scene(HOME, Mock(), env, ".", PATIENCE, programs=programs)
        places = {one.name: one for one in repositories(HOME, main.run)}
        trust(HOME, *places)
        (HOME / "keep").mkdir()
        (HOME / "keep/photo").write_text("irreplaceable")
        day = Day(main, Diary(main), places)
        day.begins("installation")
        older(HOME, revision)
        day.user("hookd", "install", "--statusline")
        day.user("hookd", "start")
        day.user("hookd", "status")
        try:
            yield day
        except Exception:
            day.diary.collect(day.part)
            click.echo(f"cut short:\n{day.diary}")
            raise
        finally:
            day.mocks.close()
    finally:
        unmounted()


def unmounted() -> None:
    """End what runs in the home, save database and log beside it, and remove its file system."""
    end(HOME)
    if HOME.is_mount():
        state = HOME / ".local/state/hookd"
        with suppress(OSError):
            shutil.copytree(state, LOGS / "state", ignore=shutil.ignore_patterns("run"))
        subprocess.run(("umount", "-l", str(HOME)), check=True)


def older(home: Path, revision: str) -> None:
    """Install an older hookd: of a revision, or this checkout under an older number."""
    source = LOGS.parent / "older"
    source.mkdir()
    archive = subprocess.run(
        ("git", "-C", str(ROOT), "archive", revision or "HEAD"), capture_output=True, check=True
    )
    subprocess.run(("tar", "x", "-C", str(source)), input=archive.stdout, check=True)
    version = source / "daemon/hookd/__init__.py"
    version.write_text(version.read_text().replace(__version__, OLD))
    venv.create(home / ".hookd", with_pip=True, symlinks=True)
    pip = (str(home / ".hookd/bin/python"), "-m", "pip", "install", "--quiet", "--quiet")
    subprocess.run((*pip, "--disable-pip-version-check", str(source)), check=True)


def main() -> int:
    """Run the day; return 1 where something is wrong."""
    parser = argparse.ArgumentParser(prog="day", description=__doc__)
    parser.add_argument("--sleep", type=float, default=600, help="seconds of sleep")
    parser.add_argument("--older", default="", metavar="REVISION", help="what is upgraded from")
    asked_for = parser.parse_args()
    CACHE.mkdir(exist_ok=True)
    try:
        alone = exclusive()
        require("npm", "node", "tmux", "git")
        with begun(install_client(NEWEST), asked_for.older) as day, ExitStack() as stack:
            morning(day)
            terminals = open_terminals(day, stack)
            upgrade(day, terminals)
            handover(day, terminals["click"])
            sleep(day, terminals, asked_for.sleep)
            for terminal in terminals.values():
                terminal.ends()
            afternoon(day)
            full_disk(day)
            evening(day)
            wrong = finish(day)
    except MissingError as missing:
        click.echo(f"day: {missing}", err=True)
        return 2
    alone.close()
    click.echo("\n".join(wrong) or "\nnothing unexpected")
    click.echo(f"Evidence: {LOGS}", err=True)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
