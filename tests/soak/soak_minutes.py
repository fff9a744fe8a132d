"""`make soak`: forty agents for some minutes, with settings edited and daemons restarted meanwhile.

SOAK_MINUTES bounds it (10), SEED makes the agents' ways the same again. It ends with a table and
the exit code: flat memory and descriptors, no error, and no answered event missing.
"""

import asyncio
import os
import random
import sys
from collections.abc import Awaitable, Callable
from contextlib import closing
from sqlite3 import connect
from typing import Any

import click

from soak.soak_agents import Agent, Tally
from soak.soak_watch import SHARE, SPARE, Life, errors, look, table
from support.home import Home, place, window_in

AGENTS = 40
LEAST = 1.5
"""Minutes below which the last daemon does not live long enough."""

RESTARTS = (1 / 6, 1 / 3)
"""When daemons are restarted, as shares of the time: the last one lives long."""

COMMANDS = (
    ("status",),
    ("status", "--json"),
    ("fleet",),
    ("fleet", "--json"),
    ("events",),
    ("events", "--json"),
    ("agents", "list"),
    ("guard", "list"),
    ("session", "list"),
    ("db", "size"),
)
SETTINGS: tuple[Any, ...] = (
    {},
    {"policies": {"options": {"heartbeat": {"warn_after": 3, "block_after": 30}}}},
    {"policies": {"enabled": ["verification", "single-task"]}, "log": {"level": "warning"}},
    {"log": {"level": "debug", "max_bytes": 2_000_000}, "context": {"budget": 4000}},
    '{"log": {"level": "loud"}}',
    '{"log": ',
)


async def every(seconds: float, work: Callable[[], Awaitable[None]]) -> None:
    """Do something again and again, until cancelled."""
    while True:
        await asyncio.sleep(seconds)
        await work()


class Soak:
    """One run: the place, what the agents count, and the daemons that were seen."""

    def __init__(self, home: Home, seed: int) -> None:
        self.home, self.chance = home, random.Random(seed)
        self.tally, self.lives, self.ran = Tally(), list[Life](), 0

    def agents(self) -> list[Agent]:
        """Return the agents, four in each project."""
        projects = [window_in(self.home).project for _ in range(AGENTS // 4)]
        return [
            Agent(
                self.home,
                self.tally,
                random.Random(self.chance.random()),
                projects[number // 4],
                f"agent-{number}",
            )
            for number in range(AGENTS)
        ]

    async def sample(self) -> None:
        """Look at the daemon once."""
        found = look(self.home)
        if found is None:
            return
        pid, seen = found
        if not self.lives or self.lives[-1].pid != pid:
            self.lives.append(Life(pid))
        self.lives[-1].samples.append(seen)

    async def edit(self) -> None:
        """Write other settings, good or broken."""
        await asyncio.to_thread(self.home.settings, self.chance.choice(SETTINGS))

    async def command(self) -> None:
        """Run one command as a person would."""
        args = self.chance.choice(COMMANDS)
        done = await asyncio.to_thread(self.home.hookd, *args, check=False)
        self.ran += 1
        # Between two daemons a command says so, and status by its exit code.
        absent = "hookd start" in done.stderr or (args[0] == "status" and done.returncode == 3)
        if (done.returncode and not absent) or "Traceback" in done.stderr:
            self.tally.fault(f"hookd {' '.join(args)}: {done.returncode}: {done.stderr[:300]}")

    async def restarts(self, seconds: float) -> None:
        """Restart the daemon at its times."""
        past = 0.0
        for share in RESTARTS:
            await asyncio.sleep(seconds * share - past)
            past = seconds * share
            done = await asyncio.to_thread(self.home.hookd, "restart", check=False)
            if done.returncode:
                self.tally.fault(f"hookd restart: {done.stderr[:300]}")

    async def run(self, seconds: float) -> None:
        """Run everything at once for so long."""
        works = [agent.live() for agent in self.agents()]
        works += [every(1, self.sample), every(5, self.edit), every(2, self.command)]
        tasks = [asyncio.ensure_future(work) for work in (*works, self.restarts(seconds))]
        await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
        for task in tasks:
            task.cancel()
        for end in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(end, Exception):
                self.tally.fault(f"the soak itself: {end!r}")

    def missing(self) -> int:
        """Return how many answered events are not in the database, or are there too often."""
        sql = "SELECT claude_session_id, count(*) FROM events GROUP BY 1"
        with closing(connect(f"file:{self.home.database}?mode=ro", uri=True)) as db:
            kept = dict(db.execute(sql).fetchall())
            if db.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
                self.tally.fault("the database is not whole")
        wrong = 0
        for session, answered in self.tally.answered.items():
            most = answered + self.tally.again[session] + 1  # a call that was cut off in the end
            if not answered <= kept.get(session, 0) <= most:
                wrong += 1
                self.tally.fault(f"{session}: {answered} answered, {kept.get(session, 0)} kept")
        return wrong


def main() -> int:
    """Run the soak, print what came of it; return the exit code."""
    minutes = float(os.environ.get("SOAK_MINUTES") or 10)
    if minutes < LEAST:
        click.echo(
            f"SOAK_MINUTES={minutes:g} is too short to judge a daemon; take {LEAST:g}", err=True
        )
        return 2
    seed = int(os.environ.get("SEED") or random.SystemRandom().randrange(2**31))
    click.echo(f"soak: {AGENTS} agents, {minutes:g} minutes, SEED={seed}")
    with place() as home:
        soak = Soak(home.serves(), seed)
        asyncio.run(soak.run(60 * minutes))
        home.ends()
        lost = soak.missing()
        told = errors(home)
    return report(soak, lost, told, minutes)


def report(soak: Soak, lost: int, told: list[str], minutes: float) -> int:
    """Print the table and what was wrong; return the exit code."""
    tally, judged = soak.tally, [life for life in soak.lives if life.judged]
    grown = [what for life in judged for what in life.grown()]
    total = sum(tally.events.values())
    click.echo(table(soak.lives))
    click.echo(
        f"second quarter -> last quarter of each life, medians; memory may grow by"
        f" {100 * (SHARE - 1):.0f} % and {SPARE:g} MB"
    )
    click.echo(
        f"{total} events answered ({total / 60 / minutes:.0f} a second, the slowest in"
        f" {tally.slowest:.2f} s) of {len(tally.answered)} sessions and {len(tally.events)} kinds;"
        f" {tally.waited} times nobody listened; {soak.ran} commands; {len(soak.lives)} daemons"
    )
    wrong = [*dict.fromkeys(tally.faults), *dict.fromkeys(told), *grown]
    if not judged:
        wrong.append("no daemon lived long enough to be judged")
    click.echo(
        f"errors {len(tally.faults)}, error lines in the log {len(told)}, sessions whose events do"
        f" not add up {lost}, not flat {len(grown)}"
    )
    for one in wrong[:40]:
        click.echo(f"  {one}")
    click.echo("FAILED" if wrong else "ok")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
