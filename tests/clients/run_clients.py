"""Entry point of `make clients`: run scenarios with real clients, print and write the tables."""

import argparse
import fcntl
import os
import shutil
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import IO

import click

# Each of these adds its scenarios to SCENARIOS, after those of print mode.
from clients import (  # noqa: F401
    approval_scenarios,
    claim_scenarios,
    mail_scenarios,
    plugin_scenarios,
    terminal_scenarios,
)
from clients.client import scene
from clients.clients_page import PAGE, Cell, page, table
from clients.drivers.driver import Driver
from clients.drivers.table import DRIVERS
from clients.install import (
    CACHE,
    MissingError,
    Programs,
    install_client,
    install_hookd,
    newest,
    require,
)
from clients.jobs import FAILED, HOMES, Job, tried
from clients.other_clients import other_scene
from clients.other_scenarios import OTHER_SCENARIOS
from clients.place import end
from clients.scenarios import SCENARIOS

OLDEST = "2.1.101"
NEWEST = "2.1.330"
VERSIONS = (OLDEST, "2.1.138", "2.1.281", NEWEST)
CLAUDE = "claude-code"
CLIENTS = (CLAUDE, *DRIVERS)
SHORT_CLIENTS = (CLAUDE, "codex")


def main() -> int:
    """Run what the arguments select; return 1 where a promise is broken."""
    asked = _parsed(sys.argv[1:])
    begun = time.monotonic()
    CACHE.mkdir(exist_ok=True)
    try:
        alone = exclusive()
        require("npm", "node", "tmux", "git")
        parts = _jobs(asked)
    except MissingError as missing:
        click.echo(f"clients: {missing}", err=True)
        return 2
    end(HOMES)
    for folder in (HOMES, FAILED):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    with ThreadPoolExecutor(asked.jobs) as pool:
        tables = [list(pool.map(tried, jobs)) for jobs in parts]
    click.echo("\n\n".join(table(cells) for cells in tables if cells))
    cells = [cell for cells in tables for cell in cells]
    failed = [cell for cell in cells if cell.state == "failed"]
    for cell in failed:
        click.echo(f"\n{cell.scenario}, {cell.version}: {cell.text}")
    seconds = time.monotonic() - begun
    click.echo(f"\n{len(cells)} runs, {len(failed)} failed, {seconds:.0f} s. Evidence: {FAILED}")
    if not (asked.only or asked.short or asked.versions):
        _write_page(set(asked.clients), *tables)
    alone.close()
    return bool(failed)


def _write_page(chosen: set[str], claude: list[Cell], others: list[Cell]) -> None:
    """Write the parts of the page that were run whole."""
    whole = others if chosen.issuperset(DRIVERS) else []
    PAGE.write_text(page(PAGE.read_text("utf-8"), claude, whole), "utf-8")
    if claude and (latest := newest()) != NEWEST:
        click.echo(f"The registry has {latest}: make clients VERSIONS={latest}")


def _jobs(asked: argparse.Namespace) -> tuple[list[Job], list[Job]]:
    """Install what is asked for; return the jobs of Claude Code, and of the other clients."""
    versions = asked.versions or ((OLDEST, NEWEST) if asked.short else VERSIONS)
    versions = versions if CLAUDE in asked.clients else ()
    drivers = [DRIVERS[name]() for name in asked.clients if name in DRIVERS]
    with ThreadPoolExecutor() as pool:  # all at the same time
        hookd = pool.submit(install_hookd)
        programs = pool.map(install_client, versions)
        others = [pool.submit(driver.install) for driver in drivers]
        claude = [
            Programs(version, client, hookd.result())
            for version, client in zip(versions, programs, strict=True)
        ]
        for other in others:
            other.result()
    chosen = {"only": asked.only, "short": asked.short}
    return claude_jobs(claude, **chosen), other_jobs(drivers, hookd.result(), **chosen)


def claude_jobs(versions: Sequence[Programs], only: str = "", short: bool = False) -> list[Job]:
    """Return scenarios of Claude Code, each with each version: all, or a selection."""
    return [
        Job(
            one.name,
            programs.version,
            partial(scene, programs, install=one.install, name=one.home),
            one.body,
            one.settles,
            one.why if tuple(map(int, programs.version.split("."))) < one.since else "",
        )
        for one in SCENARIOS
        if only in one.name and (one.short or not short)
        for programs in versions
    ]


def other_jobs(
    drivers: Sequence[Driver], hookd: Path, only: str = "", short: bool = False
) -> list[Job]:
    """Return scenarios of the other clients, each with each client: all, or a selection."""
    return [
        Job(
            one.name,
            driver.title,
            partial(other_scene, driver, hookd),
            one.play,
            one.settles,
            one.lacks.get(driver.name, ""),
        )
        for one in OTHER_SCENARIOS
        if only in one.name and (one.short or not short)
        for driver in drivers
    ]


def exclusive() -> IO[str]:
    """Lock the cache, so that two runs do not end each other's clients."""
    lock = (CACHE / "lock").open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise MissingError("another run uses .clients. Next: wait until it has ended") from None
    return lock


def _parsed(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="clients", description=__doc__)
    parser.add_argument("--short", action="store_true", help="the selection for every commit")
    parser.add_argument("--only", default="", metavar="WORDS", help="scenarios named like this")
    parser.add_argument("--versions", nargs="+", default=[], help="versions of Claude Code")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2, help="runs at a time")
    parser.add_argument("--clients", nargs="+", choices=CLIENTS, default=[], help="which clients")
    asked = parser.parse_args(arguments)
    usual = [CLAUDE] if asked.versions else SHORT_CLIENTS if asked.short else CLIENTS
    asked.clients = asked.clients or usual
    return asked


if __name__ == "__main__":
    sys.exit(main())
