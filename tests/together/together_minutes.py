"""Entry point of `make together`: agents of real clients share a repository for some minutes.

Ten sessions in one repository, some in its worktrees, against one daemon that is killed twice. A
script plays each model. At the end the checker compares what the models did and saw with the
database and the files; the exit code is 1 where something was lost, twice, overwritten or owned by
two.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Thread

import click

from clients.client import KEY, QUIET, trust
from clients.drivers.codex import Codex
from clients.drivers.driver import Driver
from clients.drivers.gemini import Gemini
from clients.drivers.qwen import Qwen
from clients.install import CACHE, MissingError, install_client, install_hookd, require
from clients.models.turn import Turn
from clients.place import Place, end, furnish_home, until
from clients.run_clients import NEWEST, exclusive
from together.agents import Agent, Repository, Tools, claude_tools, ledger_text
from together.checker import check, unproved
from together.model import Model
from together.record import Record, now, stored

HOME = CACHE / "together"
VERSIONS = (NEWEST, "2.1.281")
NAMES = ("ada", "ben", "cleo", "dan", "eve", "finn", "gus", "hana", "ivo", "jun")
OTHERS: tuple[type[Driver], ...] = (Codex, Gemini, Qwen)
LEDGERS = ("ledger-1.md", "ledger-2.md", "ledger-3.md")
TREES = ("tree-1", "tree-2")
SETTINGS = {"mail": {"per_hour_and_pair": 1000}}
"""More mail than agents may write by default."""
ITEM_EVERY_S = 6.0
LONG_MINUTES = 5
"""Minutes from which a run has to have had each kind of conflict."""
DRAIN_S = 90.0
START_S = 120.0
ROUND = json.dumps(
    {"type": "user", "message": {"role": "user", "content": "Work on the next item."}}
)
CLAUDE = (
    "-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose",
    "--permission-mode", "bypassPermissions",
)  # fmt: skip


@dataclass
class Member:
    """One agent with its model and its client."""

    agent: Agent
    model: Model
    title: str
    command: list[str]
    again: list[str]
    """How the client continues its session; empty: it stays open and takes the next prompt."""
    env: dict[str, str]
    folder: Path
    process: subprocess.Popen[str] | None = None
    starts: int = 0

    def live(self) -> None:
        """Run the client until its agent has ended."""
        over = self.agent.where.ended
        while self.starts == 0 or (self.again and not over.is_set() and self.starts < 20):
            self.starts += 1
            line = self.again if self.again and self.starts > 1 else self.command
            with (self.folder / f"../log-{self.agent.name}").open("a") as log:
                self.process = subprocess.Popen(
                    line, cwd=self.folder, env=self.env, text=True, start_new_session=True,
                    stdin=subprocess.DEVNULL if self.again else subprocess.PIPE,
                    stdout=subprocess.PIPE, stderr=log,
                )  # fmt: skip
                self._prompts(self.process)

    def _prompts(self, process: subprocess.Popen[str]) -> None:
        """Give a client that stays open the next prompt after each result."""
        stdin, stdout = process.stdin, process.stdout
        assert stdout
        with suppress(BrokenPipeError):
            if stdin:
                print(ROUND, file=stdin, flush=True)
            for line in stdout:
                if stdin and '"type":"result"' in line:
                    if self.agent.where.ended.is_set():
                        stdin.close()
                        stdin = None
                    else:
                        print(ROUND, file=stdin, flush=True)
        process.wait()


def main() -> int:
    """Run the agents; return 1 where the checker finds something wrong."""
    asked = _parsed()
    CACHE.mkdir(exist_ok=True)
    try:
        alone = exclusive()
        require("npm", "node", "git")
        with played(asked) as (place, members, where):
            worked(place, members, where, asked.minutes * 60, asked.kills)
            record = collected(members, where)
            report = check(record, stored(place.database, _ledgers(place)))
            if asked.minutes >= LONG_MINUTES:
                report.wrong += unproved(report)
    except MissingError as missing:
        click.echo(f"together: {missing}", err=True)
        return 2
    alone.close()
    (HOME / "record.json").write_text(json.dumps(asdict(record), indent=1))
    for one in members:
        click.echo(f"{one.agent.name:5} {one.title:18} {one.model.answered:5} turns")
    click.echo(str(report))
    click.echo(f"{len(report.wrong)} wrong. Evidence: {HOME}")
    return bool(report.wrong)


@contextmanager
def played(
    asked: argparse.Namespace,
) -> Iterator[tuple[Place, list[Member], Repository]]:
    """Make the home, the repository and the agents; end all of its processes at the end."""
    end(HOME)
    shutil.rmtree(HOME, ignore_errors=True)
    hookd = install_hookd()
    env = furnish_home(HOME, hookd, "shop") | {"SHELL": "/bin/bash"}
    with ExitStack() as stack:
        stack.callback(end, HOME)
        idle = stack.enter_context(Model())
        place = Place(HOME, idle, env)
        _repository(place)
        record = Record(NAMES[: asked.agents])
        where = Repository(place.project, LEDGERS, record)
        members = []
        for name in record.agents:
            model = stack.enter_context(Model(agent=name))
            members.append(_member(place, where, model, asked))
        others = [one.name for one in OTHERS[: min(asked.others, asked.agents - 1)]]
        for client in ("claude-code", *others):
            place.hookd("install", "--client", client)
        settings = HOME / ".config/hookd/settings.json"
        settings.parent.mkdir(parents=True, exist_ok=True)
        settings.write_text(json.dumps(SETTINGS))
        place.hookd("start")
        yield place, members, where


def _repository(place: Place) -> None:
    """Make the repository with its ledgers, and worktrees of it."""
    for name in (".bash_profile", ".profile"):  # Codex runs a login shell
        (HOME / name).write_text(f'PATH="{place.env["PATH"]}"\n')
    (HOME / ".claude").mkdir()
    (HOME / ".claude/settings.json").write_text("{}")
    trust(HOME, "shop", *TREES)
    place.run("git", "init", "--quiet", "--initial-branch", "main")
    for name in LEDGERS:
        (place.project / name).write_text(ledger_text(name, []))
    place.run("git", "add", "--all")
    place.run("git", "commit", "--quiet", "--message", "Begin the ledgers")
    for tree in TREES:
        place.run("git", "worktree", "add", "--quiet", f"../{tree}", "-b", tree)


def _ledgers(place: Place) -> list[Path]:
    folders = (place.project, *(HOME / tree for tree in TREES))
    return [folder / name for folder in folders for name in LEDGERS]


def _member(place: Place, where: Repository, model: Model, asked: argparse.Namespace) -> Member:
    """Return an agent: of another client, or of a version of Claude Code."""
    name, seed = model.agent, asked.seed
    number = where.record.agents.index(name)
    other = OTHERS[number - 1] if 1 <= number <= min(len(OTHERS), asked.others) else None
    env = place.env | {"AGENT_ID": name}
    folder = place.project
    if other:
        driver = other()
        driver.install()
        env |= driver.furnish(HOME, place.project, model.url)
        prompt = "Work on the next items."
        first, again = driver.line(prompt), driver.line(prompt, resumed=True)
        agent = Agent(name, _tools(driver), where, seed, folder)
        model.script_of = agent.script
        return Member(agent, model, driver.title, first, again, env, folder)
    version = VERSIONS[number % len(VERSIONS)]
    if number in (4, 7):
        folder = HOME / TREES[number % 2]
    env |= QUIET | {"ANTHROPIC_BASE_URL": model.url, "ANTHROPIC_API_KEY": KEY}
    agent = Agent(name, claude_tools(), where, seed, folder)
    model.script_of = agent.script
    where_ = "" if folder == place.project else " worktree"
    line = [str(install_client(version)), *CLAUDE]
    return Member(agent, model, f"claude {version}{where_}", line, [], env, folder)


def _tools(driver: Driver) -> Tools:
    """Return the tools of a client's model; Codex changes files by patches of lines."""
    if isinstance(driver, Codex):

        def patched(path: Path, old: str, new: str) -> Turn:
            return driver.replace(path, old, new.replace("\n", "\n+"))

        return Tools(driver.shell, driver.create, patched, whole=False)
    return Tools(driver.shell, driver.create, driver.replace)


def worked(
    place: Place, members: list[Member], where: Repository, seconds: float, kills: int
) -> None:
    """Let the agents work for so long, kill the daemon in between, wait until all has arrived."""
    threads = [Thread(target=one.live, daemon=True) for one in members]
    for thread in threads:
        thread.start()
    until(
        lambda: all(one.agent.ready.is_set() for one in members),
        "all agents have begun",
        START_S,
        lambda: str([one.agent.name for one in members if not one.agent.ready.is_set()]),
    )
    begun = now()
    due = [begun + seconds * (number + 1) / (kills + 1) for number in range(kills)]
    added = 0
    while now() < begun + seconds:
        if now() > begun + added * ITEM_EVERY_S:
            added += 1
            _adds(place, where, added)
        if due and now() >= due[0]:
            due.pop(0)
            with suppress(OSError, ValueError):
                os.kill(place.daemon, signal.SIGKILL)
                where.record.kills.append(now())
        where.over.wait(0.2)
    where.over.set()
    with suppress(AssertionError):
        until(lambda: _all_arrived(place, members, where), "all mail has arrived", DRAIN_S)
    where.ended.set()
    deadline = time.monotonic() + 60
    for thread in threads:
        thread.join(max(0.0, deadline - time.monotonic()))
    click.echo(f"{now() - begun:.0f} s", err=True)


def _adds(place: Place, where: Repository, number: int) -> None:
    """Add an item and its review, which waits for it; at times another that all agents want."""
    with suppress(AssertionError):  # while the daemon is killed
        out = place.hookd("work", "add", f"Add a line {number}", "--json")
        item = int(json.loads(out)["id"])
        place.hookd("work", "add", f"Review line {number}", "--after", str(item))
        if number % 3 == 0:
            out = place.hookd("work", "add", f"Contested {number}", "--json")
            where.contested.append(int(json.loads(out)["id"]))


def _all_arrived(place: Place, members: list[Member], where: Repository) -> bool:
    """Return whether no mail waits and no work item is left, by the database and the models."""
    waiting = place.rows("SELECT 1 FROM injections WHERE mail_id > 0 AND delivered_at IS NULL")
    items = place.rows("SELECT 1 FROM work_items WHERE state <> 'done'")
    return not waiting and not items


def collected(members: list[Member], where: Repository) -> Record:
    """Return the record of all models."""
    record = where.record
    for one in members:
        record.arrivals += one.model.arrivals
        record.turns[one.agent.name] = one.model.answered
        if one.process is None or one.process.poll() is None:
            record.strange.append(f"{one.agent.name}: the client has not ended")
    return record


def _parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="together", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--agents", type=int, default=10, choices=range(2, len(NAMES) + 1))
    parser.add_argument("--others", type=int, default=len(OTHERS), help="clients beside Claude")
    parser.add_argument("--kills", type=int, default=2, help="kill -9 of the daemon")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
