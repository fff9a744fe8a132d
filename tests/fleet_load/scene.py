"""Scene of a run: PostgreSQL, the network in front of it, hosts with daemons, and writers."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from sqlite3 import connect
from typing import IO, Any
from uuid import uuid4

import psycopg

from fleet_load.checker import Run
from fleet_load.orders import Orders, Work, WriterConfig
from fleet_load.real_host import RealHost, real_host, small_disk
from fleet_load.writer_host import WriterHost
from hookd.core.fleet.credential import Credential
from hookd.core.model.membership import FleetMode
from hookd.store.database import open_database
from hookd.system import fleet_files
from support.central import Store, store
from support.fleet_host import credential_of
from support.outbox import joined
from support.paths import ROOT, TESTS
from support.postgres import FAST, Cluster, cluster

FOLDER = ROOT / ".fleet-load"
TENANT = "load"
MODES: tuple[FleetMode, ...] = ("decisions", "events", "status")
PROCESSES = 4
"""Processes of writers: two are upgraded with the schema, one when it is refused, one never."""


@dataclass(frozen=True)
class Size:
    """How large a run is, and how long its faults last, in seconds."""

    seconds: float
    reals: int
    writers: int
    rounds: int
    rate: float
    burst_s: float
    real_rate: float
    sessions: int
    beat_s: float
    answer_s: float
    down_s: float
    refused_s: float
    drain_s: float
    groups: int
    seed: int

    @property
    def short(self) -> bool:
        """Whether hosts that were refused are restarted, not waited for."""
        return self.seconds < 60


@dataclass
class Writers:
    """A process of writers; `upgraded`: of the next version."""

    number: int
    folder: Path
    hosts: tuple[str, ...]
    upgraded: bool = False
    process: subprocess.Popen[bytes] | None = None

    @property
    def log(self) -> Path:
        """Its lines."""
        return self.folder / f"writers-{self.number}.log"

    def start(self) -> None:
        """Start it, with what its databases have."""
        words = [sys.executable, "-m", "fleet_load.writers", str(self.folder), str(self.number)]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*words, *(["--next"] if self.upgraded else [])],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=os.environ | {"PYTHONPATH": str(TESTS)},
            )

    def end(self, how: signal.Signals = signal.SIGTERM) -> None:
        """End it, if it runs."""
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(30)
            self.process = None

    def upgrade(self) -> None:
        """Continue with the next version."""
        self.upgraded = True
        if self.process is not None:
            self.end()
            self.start()

    def lines(self) -> Iterator[dict[str, Any]]:
        """Yield what it has reported; a line that is no JSON is an error of it."""
        for line in self.log.read_text("utf-8").splitlines() if self.log.exists() else ():
            try:
                yield json.loads(line)
            except ValueError:
                yield {"error": f"writers {self.number}: {line}"}


class Network:
    """The network's process: one port for each group of hosts."""

    def __init__(self, target: int, groups: int) -> None:
        words = [sys.executable, "-m", "fleet_load.network", str(target), str(groups)]
        self.process = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": str(TESTS)},
        )
        self.ports: list[int] = json.loads(self._out.readline())
        self.busy: set[int] = set()

    @property
    def _out(self) -> IO[str]:
        assert self.process.stdout
        return self.process.stdout

    def tell(self, word: str, group: int) -> None:
        """Give a command, and wait until it is done."""
        assert self.process.stdin
        print(f"{word} {group}", file=self.process.stdin, flush=True)
        answer = self._out.readline().strip()
        assert answer == f"{word} {group}", answer

    def end(self) -> None:
        """End it."""
        self.process.kill()
        self.process.communicate()


@dataclass
class Scene:
    """All parts of a run."""

    size: Size
    server: Cluster
    database: str
    network: Network
    reals: list[RealHost]
    writers: list[Writers]
    places: dict[str, Path]
    disk: Path
    orders: Orders = field(default_factory=Orders)
    run: Run = field(default_factory=Run)
    notes: dict[str, list[str]] = field(default_factory=dict)
    backlog: int = 0
    folder: Path = FOLDER

    def admin(self) -> psycopg.Connection[Any]:
        """Return a connection of the administrator."""
        return self.server.admin(self.database)

    def databases(self) -> dict[str, Path]:
        """Return the database of each host."""
        return {one.name: one.home.database for one in self.reals} | {
            name: place / "hookd.db" for name, place in self.places.items()
        }

    def group_of(self, number: int) -> int:
        """Return the group of a writer: hosts with daemons have one each, before."""
        return len(self.reals) + number % self.size.groups

    def waiting(self) -> dict[str, int]:
        """Return the rows that wait, of hosts with any."""
        found = {}
        for name, database in self.databases().items():
            with closing(connect(f"file:{database}?mode=ro", uri=True, timeout=10)) as db:
                sql = "SELECT waiting FROM fleet_member"
                if rows := db.execute(sql).fetchone()[0]:
                    found[name] = rows
        return found


@contextmanager
def scene(size: Size) -> Iterator[Scene]:
    """Make all parts of a run; end all of its processes at the end."""
    if (FOLDER / "disk").is_mount():  # of a run that was killed
        subprocess.run(["umount", "-l", str(FOLDER / "disk")], check=True)
    shutil.rmtree(FOLDER, ignore_errors=True)
    (FOLDER / "disk").mkdir(parents=True)
    settings = {**FAST, "log_statement": "none", "max_connections": "600"}
    with ExitStack() as stack:
        server = stack.enter_context(cluster(settings))
        stack.callback(lambda: shutil.copy(server.log, FOLDER / "postgresql.log"))
        central = stack.enter_context(store(server))
        central.add_tenant(TENANT)
        network = Network(server.port, size.reals + size.groups)
        stack.callback(network.end)
        disk = FOLDER / "disk"
        stack.enter_context(small_disk(disk))
        reals = [stack.enter_context(_real(size, number)) for number in range(size.reals)]
        made = Scene(size, server, central.name, network, reals, [], {}, disk)
        stack.callback(_keep_logs, made)
        made.orders.publish(FOLDER)
        for number, one in enumerate(reals):
            one.joins(_credential(central, one.name, network.ports[number]))
        _writers(made, central)
        for process in made.writers:
            stack.callback(process.end, signal.SIGKILL)
        central.admin.close()
        yield made


def _real(size: Size, number: int) -> Any:
    """Return a host with a daemon; the last one is on a small disk."""
    name, mode = f"real-{number + 1}", MODES[number % len(MODES)]
    last = number == size.reals - 1
    return real_host(name, mode if not last else "events", size.sessions, size.real_rate, disk=last)


def _credential(central: Store, name: str, port: int) -> Credential:
    """Return the credential of a new host, which connects by a port of the network."""
    given = credential_of(central, TENANT, name, central.add_host(TENANT, name))
    known = {name: getattr(given, name) for name in Credential.__dataclass_fields__}
    return Credential(**(known | {"server": {**given.server, "port": str(port)}}))


def _writers(made: Scene, central: Store) -> None:
    """Make the hosts without daemons, and their processes."""
    size = made.size
    template = FOLDER / "template.db"
    open_database(template).close()
    small = max(1, size.writers // 60)
    configs = []
    for number in range(size.writers):
        name, mode = f"w{number + 1:03}", MODES[number % len(MODES)]
        folder = (made.disk if number < small else FOLDER / "hosts") / name
        folder.mkdir(parents=True)
        shutil.copy(template, folder / "hookd.db")
        port = made.network.ports[made.group_of(number)]
        given = _credential(central, name, port)
        fleet_files.write_credential(FOLDER / f"{name}.json", given)
        made.places[name] = folder
        configs.append(WriterConfig(name, str(folder), mode))
    shared = (size.rate, size.burst_s, size.beat_s, size.answer_s, size.sessions)
    for number in range(PROCESSES):
        its = tuple(configs[number::PROCESSES])
        Work(its, *shared).store(FOLDER / f"writers-{number}.json")
        made.writers.append(Writers(number, FOLDER, tuple(one.name for one in its)))
        for config in its:
            _joins(config, Work(its, *shared))


def _joins(config: WriterConfig, work: Work) -> None:
    """Let a host without a daemon join, with its first sessions."""
    host = WriterHost(config, work, FOLDER, lambda _name, _sentence: None)
    with host.transaction():
        host.opens(work.sessions)
    host.write(joined(config.mode, tenant=TENANT, host=config.name, epoch=str(uuid4())))
    host.outbox.close()
    host.db.close()


def _keep_logs(made: Scene) -> None:
    """Keep the logs of the hosts with daemons as evidence."""
    for one in made.reals:
        for name in ("hookd.log", "hookd-sync.log"):
            if (one.home.path / name).exists():
                shutil.copy(one.home.path / name, FOLDER / f"{one.name}-{name}")


def chance_of(size: Size) -> random.Random:
    """Return the chance that chooses what a fault hits."""
    return random.Random(size.seed + 1)
