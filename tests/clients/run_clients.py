"""Entry point of `make clients`: run scenarios with real clients, print and write the table."""

import argparse
import fcntl
import json
import os
import shutil
import sys
import time
import traceback
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import IO
from uuid import uuid4

import click

from clients import approval_scenarios, terminal_scenarios
from clients.client import Scene, end, scene
from clients.clients_page import PAGE, Cell, page, table
from clients.install import (
    CACHE,
    MissingError,
    Programs,
    install_client,
    install_hookd,
    newest,
    require,
)
from clients.scenarios import SCENARIOS, Scenario

OLDEST = "2.1.101"
BETWEEN = ("2.1.138", "2.1.281")
NEWEST = "2.1.330"
HOMES = CACHE / "homes"
FAILED = CACHE / "failed"
assert (
    terminal_scenarios.__doc__ and approval_scenarios.__doc__
)  # their scenarios follow those of print mode in the table


def main() -> int:
    """Run what the arguments select; return 1 where a promise is broken."""
    asked = _parsed(sys.argv[1:])
    begun = time.monotonic()
    CACHE.mkdir(exist_ok=True)
    try:
        alone = exclusive()
        require("npm", "node", "tmux", "git")
        versions = asked.versions or [OLDEST, *(() if asked.short else BETWEEN), NEWEST]
        programs = _installed(versions)
    except MissingError as missing:
        click.echo(f"clients: {missing}", err=True)
        return 2
    chosen = [one for one in SCENARIOS if asked.only in one.name and (one.short or not asked.short)]
    end(HOMES)
    for folder in (HOMES, FAILED):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    jobs = [(one, each) for one in chosen for each in programs]
    with ThreadPoolExecutor(asked.jobs) as pool:
        cells = list(pool.map(lambda job: _tried(*job), jobs))
    click.echo(table(cells))
    failed = [cell for cell in cells if cell.state == "failed"]
    for cell in failed:
        click.echo(f"\n{cell.scenario}, {cell.version}: {cell.text}")
    seconds = time.monotonic() - begun
    click.echo(f"\n{len(cells)} runs, {len(failed)} failed, {seconds:.0f} s. Evidence: {FAILED}")
    if not (asked.only or asked.short or asked.versions):
        PAGE.write_text(page(cells), "utf-8")
        if (latest := newest()) != NEWEST:
            click.echo(f"The registry has {latest}: make clients VERSIONS={latest}")
    alone.close()
    return bool(failed)


def _installed(versions: Sequence[str]) -> list[Programs]:
    """Install hookd and these versions of the client, all at the same time."""
    with ThreadPoolExecutor() as pool:
        hookd, clients = pool.submit(install_hookd), pool.map(install_client, versions)
        return [
            Programs(version, client, hookd.result())
            for version, client in zip(versions, clients, strict=True)
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
    parser.add_argument("--versions", nargs="+", default=[], help="versions of the client")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2, help="runs at a time")
    return parser.parse_args(arguments)


def _tried(one: Scenario, programs: Programs) -> Cell:
    """Run one scenario with one version."""
    if one.since and tuple(map(int, programs.version.split("."))) < one.since:
        return Cell(one.name, programs.version, "missing", one.why, 0, frozenset())
    begun = time.monotonic()
    homes = HOMES / uuid4().hex[:6]
    here: list[Scene] = []
    text, fired = "", frozenset[str]()
    try:
        with scene(programs, homes, one.install, one.home) as scene_:
            here.append(scene_)
            one.body(scene_)
            if one.settles:
                scene_.settle()
            fired = frozenset(each["hook_event_name"] for each in scene_.fired())
    except Exception as error:  # noqa: BLE001 - a cell of the table says what broke
        where = traceback.extract_tb(error.__traceback__)
        lines = [
            f"{frame.lineno}: {frame.line}" for frame in where if "scenarios" in frame.filename
        ]
        text = "\n  ".join([*(lines or [type(error).__name__]), str(error)])
        _evidence(f"{one.name}-{programs.version}", homes, here, traceback.format_exc())
    shutil.rmtree(homes, ignore_errors=True)
    state = "failed" if text else "passed"
    seconds = time.monotonic() - begun
    click.echo(f"{state} {programs.version} {one.name} ({seconds:.1f} s)", err=True)
    return Cell(one.name, programs.version, state, text, seconds, fired)


def _evidence(name: str, homes: Path, here: list[Scene], why: str) -> None:
    """Keep what a failed run left: its home, the requests, the error."""
    place = FAILED / name.replace(" ", "-").replace("/", "")
    with suppress(OSError):
        for home in homes.iterdir():
            end(home)
            shutil.move(home, place)
            (place / "error.txt").write_text(why)
            requests = [{"kind": one.kind, **one.body} for one in here[0].mock.requests]
            (place / "requests.json").write_text(json.dumps(requests, indent=1))


if __name__ == "__main__":
    sys.exit(main())
