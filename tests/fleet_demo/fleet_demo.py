"""Entry point of `make fleet-demo`: two hosts of one fleet, on a PostgreSQL of their own.

Two homes are two hosts, each with a daemon and a sync process; a third one is the admin's. It
prints what is run and what comes of it, and leaves nothing behind. The exit code is 1 where a step
does not come true.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from shlex import join
from textwrap import wrap
from time import perf_counter
from typing import Any

import click
import psycopg

from support.home import Home, Window, place, until
from support.mail import agent, gets, runs
from support.payloads import verdict
from support.postgres import Cluster, MissingError, cluster, programs

WIDTH = 80
TENANT = "acme"
ACCEPT = "mail,claims,rules,pause"
ORIGIN = "https://git.example/acme/orders.git"
CALLS = 20
RULES = """\
rules:
- {id: no-main, match: 'Bash(git push * main)', deny: 'Open a pull request.'}
"""
_BOARD = """\
SELECT host, agent, project, client, coalesce(status, ''), state->>'tool_calls'
FROM hookd.sessions WHERE ended_at IS NULL ORDER BY host, number
"""
_LAG = """\
SELECT count(*), coalesce(max(extract(epoch FROM received_at - at)), 0)::float,
  coalesce(percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM received_at - at)), 0)
FROM hookd.events
"""


def say(text: str = "", **style: Any) -> None:
    """Print lines; a long one continues on the next line, indented."""
    for line in text.split("\n"):
        indent = line[: len(line) - len(line.lstrip(" |"))]
        parts = wrap(line, WIDTH, subsequent_indent=indent or "    ", drop_whitespace=True)
        for part in parts if len(line) > WIDTH else [line]:
            click.secho(part, **style)


def title(text: str) -> None:
    """Begin a chapter."""
    say(f"\n{text}", bold=True)


@dataclass
class Demo:
    """The server, the admin's home and the hosts; `env` is what commands get beside their own."""

    server: Cluster
    admin: Home
    hosts: dict[str, Home]
    agents: dict[str, Window] = field(default_factory=dict)

    @property
    def url(self) -> str:
        """The address of the central store, as its admin reaches it."""
        return self.server.url("hookd")

    def run(self, home: Home, *words: str, lines: int = 1) -> str:
        """Run a command of a person, print it and the first lines of its output; return all."""
        shown = join(words).replace(self.url, "URL").replace(f"{home.path}/", "")
        say(f"{self._name(home)}$ hookd {shown}", fg="cyan")
        done = home.hookd(*words, env={"COLUMNS": str(WIDTH)}, cwd=home.path)
        told = done.stdout.replace(f"{home.path}/", "").rstrip()
        for line in told.split("\n")[:lines]:
            say(f"  {line.rstrip()}")
        return done.stdout

    def runs(self, name: str, *words: str) -> str:
        """Run a command of an agent, print it and its output; return that."""
        say(f"{name}$ hookd {join(words)}", fg="cyan")
        done = runs(self.agents[name], *words)
        for line in str(done.stdout).rstrip().split("\n"):
            say(f"  {line}")
        return str(done.stdout)

    def _name(self, home: Home) -> str:
        return next((name for name, one in self.hosts.items() if one is home), "admin")

    def fleet(self) -> None:
        """Make the central store, and let the hosts join."""
        title("One central store, two hosts")
        with self.server.admin() as admin:
            admin.execute("CREATE DATABASE hookd")
        self.run(self.admin, "fleet", "init-db", self.url, "--tenant", TENANT)
        for name, home in self.hosts.items():
            home.serves()
            file = f"{name}.json"
            self.run(self.admin, "fleet", "host", "add", name, "--out", file)
            (self.admin.path / file).rename(home.path / file)
            more = ("--mode", "decisions", "--accept", ACCEPT)
            self.run(home, "fleet", "join", file, *more)
            (home.path / file).unlink()

    def work(self) -> None:
        """Play captured events of a client through the shim, on each host."""
        title("Agents work: captured events of Claude Code, through the real shim")
        for host, name in zip(self.hosts, ("ann", "ben"), strict=True):
            home = self.hosts[host]
            self.agents[name] = window = agent(home, _checkout(home), name)
            window.says("UserPromptSubmit", prompt="Fix the paging of orders.")
            for number in range(CALLS):
                window.bash(f"pytest -q tests/test_{number}.py")
            said, reason = verdict(window.bash("rm -rf ~"))
            say(f"{name} on {host}: {CALLS} calls pass; rm -rf ~: {said}: {reason}")
        self.arrived()

    def arrived(self) -> None:
        """Wait until the central store has the events of all hosts."""
        sql = "SELECT count(*) FROM events"
        until(
            lambda: (
                self.one("SELECT count(*) FROM hookd.events")
                == sum(home.rows(sql)[0][0] for home in self.hosts.values())
            )
        )

    def mail(self) -> None:
        """Send a mail from one host to the other, and the answer."""
        title("Mail between hosts")
        self.runs("ann", "send", "ben@beta", "Which port has the database?")
        got = _delivered(self.agents["ben"], "Which port")
        say("ben's next call brings it:\n" + _quoted(got))
        (number,) = self.hosts["beta"].rows("SELECT max(id) FROM agent_mail")[0]
        self.runs("ben", "reply", str(number), "5432.")
        say("ann's next call brings it:\n" + _quoted(_delivered(self.agents["ann"], "5432.")))

    def claims(self) -> None:
        """Let both hosts claim the same file without network: the store lets one of them win."""
        title("A claim conflict: both hosts claim one file while they are offline")
        for home in self.hosts.values():
            _offline(home)
        for name in self.agents:
            self.runs(name, "claim", "src/orders.py", "--why", f"{name} fixes the paging")
        say("Both hosts are online again, and the database decides:")
        for home in self.hosts.values():
            home.hookd("start")
        until(lambda: self.one("SELECT count(*) FROM hookd.claims") == 1)
        winner = str(self.one("SELECT host FROM hookd.claims"))
        loser = next(name for name in self.hosts if name != winner)
        window = dict(zip(self.hosts, self.agents.values(), strict=True))[loser]
        told = _delivered(window, "claimed it first")
        say(f"  winner: {winner}; the agent on {loser} receives:\n" + _quoted(told))
        until(lambda: f"@{winner}" in self.hosts[loser].hookd("claim", "list").stdout)
        self.run(self.hosts[loser], "claim", "list", lines=9)

    def rules(self) -> None:
        """Publish a rule of the team; show that it applies, and its source."""
        title("A rule of the team")
        (self.admin.path / "team.yaml").write_text(RULES)
        window = self.agents["ben"]
        push = "git push origin main"
        say(f"ben on beta: {push}: {verdict(window.bash(push))[0] or 'passes'}")
        self.run(self.admin, "fleet", "publish", "rules", "team.yaml")
        said, reason = until(lambda: _denied(window, push))
        say(f"ben on beta: {push}: {said}: {reason}")
        listed = self.hosts["beta"].hookd("guard", "list", "--json").stdout
        sources = {str(one) for row in json.loads(listed) for one in row.values()}
        source = next(one for one in sorted(sources) if one.startswith(f"fleet {TENANT} v"))
        say(f"hookd guard list on beta names its source: {source}")

    def pause(self) -> None:
        """Pause all hosts, and end that."""
        title("A pause of all hosts")
        mark = f"fleet {TENANT}"
        self.run(self.admin, "fleet", "pause", "--for", "10m", "--why", "The servers move.")
        for name, home in self.hosts.items():
            until(lambda home=home: mark in home.hookd("status").stdout)
            shown = home.hookd("status").stdout.split("\n")
            say(f"  {name}: " + " ".join(next(one for one in shown if mark in one).split()))
        self.run(self.admin, "fleet", "resume")
        for home in self.hosts.values():
            until(lambda home=home: mark not in home.hookd("status").stdout)
        say("  The guards of both hosts are on again.")

    def board(self) -> None:
        """Print the central board: hosts, and sessions as a viewer sees them."""
        title("The central board")
        self.run(self.admin, "fleet", "hosts", lines=99)
        self.run(self.admin, "fleet", "viewer", "add", "screen", "--out", "screen.json")
        given = json.loads((self.admin.path / "screen.json").read_text())
        names = {**given["server"], "user": given["role"], "password": given["password"]}
        with psycopg.connect(**names) as viewer:
            rows = viewer.execute(_BOARD).fetchall()
        form = "  {:<8}{:<8}{:<10}{:<14}{:<12}{:>10}".format
        say("Open sessions, as this viewer reads them:")
        say(form("host", "agent", "project", "client", "status", "tool calls"), bold=True)
        for row in rows:
            say(form(*(str(one or "") for one in row)))

    def one(self, query: str) -> Any:
        """Return the first value that the superuser sees."""
        with self.server.admin("hookd") as admin:
            row = admin.execute(query.encode()).fetchone()
        return row[0] if row else None

    def lag(self) -> tuple[int, float, float]:
        """Return the number of events that were sent, and the slowest and median seconds."""
        with self.server.admin("hookd") as admin:
            row = admin.execute(_LAG.encode()).fetchone()
        assert row
        return int(row[0]), float(row[1]), float(row[2])


def _checkout(home: Home) -> str:
    """Return a checkout of the team's repository on this host."""
    folder = home.path / "orders"
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "orders.py").write_text("def orders(): ...\n")
    for words in (("init", "-q"), ("remote", "add", "origin", ORIGIN)):
        subprocess.run(["git", "-C", folder, *words], check=True, env=home.env)
    return str(folder)


def _offline(home: Home) -> None:
    """End the sync process of a host, as if its network was gone."""

    def process() -> Any:
        return json.loads(home.hookd("fleet", "outbox", "--json").stdout)["process"]

    os.kill(process(), signal.SIGTERM)
    until(lambda: process() is None)


def _delivered(window: Window, text: str) -> str:
    """Let an agent call tools until its context has this text; return the context."""
    return until(lambda: got if text in (got := gets(window)) else "")


def _denied(window: Window, command: str) -> tuple[str, str] | None:
    said = verdict(window.bash(command))
    return said if said[0] == "deny" else None


def _quoted(text: str) -> str:
    return "\n".join(f"  | {line}" for line in text.strip().split("\n")[:6])


@contextmanager
def stage() -> Iterator[Demo]:
    """A server, the admin's home and two hosts; nothing of it is left at the end."""
    with ExitStack() as stack:
        server = stack.enter_context(cluster())
        admin, *hosts = (stack.enter_context(place()) for _ in range(3))
        yield Demo(server, admin, dict(zip(("alpha", "beta"), hosts, strict=True)))


def play() -> None:
    """Play all chapters. Raise AssertionError where one does not come true."""
    began = perf_counter()
    with stage() as demo:
        folders = [demo.server.folder, *(h.path for h in (demo.admin, *demo.hosts.values()))]
        say(f"PostgreSQL {programs().parent.name} runs in {demo.server.folder}.")
        demo.fleet()
        demo.work()
        count, slowest, median = demo.lag()
        for chapter in (demo.mail, demo.claims, demo.rules, demo.pause):
            chapter()
        demo.arrived()
        demo.board()
        shipped = demo.one("SELECT sum(last_change + last_event) FROM hookd.epochs")
    title("Figures")
    say(f"rows shipped        {shipped}")
    lag = f"lag of {count} events"
    say(f"{lag:<20}median {median:.2f} s, slowest {slowest:.2f} s")
    say(f"seconds in all      {perf_counter() - began:.0f}")
    left = [str(folder) for folder in folders if folder.exists()]
    assert not left, left
    say("All is stopped, and its folders are removed.")


def main() -> int:
    """Play the demo; return the exit code."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    try:
        programs()
    except MissingError as problem:
        say(f"fleet-demo: {problem}")
        return 1
    if shutil.which("git") is None:
        say("fleet-demo: git is missing.\n  next: sudo apt-get install git")
        return 1
    play()
    return 0


if __name__ == "__main__":
    sys.exit(main())
