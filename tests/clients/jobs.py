"""One scenario with one client: run it, keep what a failed one leaves."""

import json
import shutil
import time
import traceback
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import click

from clients.clients_page import Cell
from clients.install import CACHE
from clients.place import Place, end

HOMES = CACHE / "homes"
FAILED = CACHE / "failed"


@dataclass(frozen=True)
class Job:
    """One scenario with one client: one cell of a table."""

    scenario: str
    version: str  # the title of the column
    opened: Callable[[Path], AbstractContextManager[Any]]  # folder of homes -> its scene
    body: Callable[[Any], None]
    settles: bool
    missing: str = ""  # what the client lacks; the scenario is then not run


def tried(job: Job) -> Cell:
    """Run a job; return its cell of the table."""
    if job.missing:
        return Cell(job.scenario, job.version, "missing", job.missing, 0, frozenset())
    begun = time.monotonic()
    homes = HOMES / uuid4().hex[:6]
    here: list[Place] = []
    text, fired = "", frozenset[str]()
    try:
        with job.opened(homes) as scene:
            here.append(scene)
            job.body(scene)
            if job.settles:
                scene.settle()
            fired = scene.fired_events()
    except Exception as error:  # noqa: BLE001 - a cell of the table says what broke
        where = traceback.extract_tb(error.__traceback__)
        lines = [
            f"{frame.lineno}: {frame.line}" for frame in where if "scenarios" in frame.filename
        ]
        text = "\n  ".join([*(lines or [type(error).__name__]), str(error)])
        _evidence(f"{job.scenario}-{job.version}", homes, here, traceback.format_exc())
    shutil.rmtree(homes, ignore_errors=True)
    state = "failed" if text else "passed"
    seconds = time.monotonic() - begun
    click.echo(f"{state} {job.version} {job.scenario} ({seconds:.1f} s)", err=True)
    return Cell(job.scenario, job.version, state, text, seconds, fired)


def _evidence(name: str, homes: Path, here: list[Place], why: str) -> None:
    """Keep what a failed run left: its home, the requests, the error."""
    place = FAILED / name.replace(" ", "-").replace("/", "")
    with suppress(OSError):
        for home in homes.iterdir():
            end(home)
            shutil.move(home, place)
            (place / "error.txt").write_text(why)
            requests = [{"kind": one.kind, **one.body} for one in here[0].mock.requests]
            (place / "requests.json").write_text(json.dumps(requests, indent=1))
