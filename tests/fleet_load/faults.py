"""Faults of a run: each does something to the scene, and says what; some have an end later."""

import os
import random
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import monotonic

from fleet_load import next_version, plan
from fleet_load.real_host import fill
from fleet_load.scene import PROCESSES, Scene, Writers

TOO_OLD = "too old"
"""What a client says that the store no longer serves."""

TOO_NEW = "older than this hookd"
"""What a client says whose functions the store does not have yet."""

MORE_S = 60.0
"""Seconds for which old clients are refused at most, beyond the planned ones."""

Steps = Iterator[float]
"""A fault in steps: it yields the seconds until the next one."""


class NotNowError(Exception):
    """The fault must wait: another one of its kind, or of what it needs, is not over."""


@dataclass
class Faults:
    """The faults of a scene; `note` records that one has happened."""

    scene: Scene
    chance: random.Random
    note: Callable[[str, str], None]

    def begin(self, kind: str) -> Steps:
        """Return the steps of a fault. The first raises NotNowError where it must wait."""
        return _KINDS[kind](self)

    def database(self) -> Steps:
        """Kill PostgreSQL with all of its processes; start it again later."""
        self._expect_database()
        self.scene.server.kill()
        self.note(plan.DATABASE, "postmaster and backends")
        yield self.scene.size.down_s
        _start_database(self.scene)

    def sync(self) -> Steps:
        """Kill a sync process; it is started again."""
        one = self.chance.choice(self.scene.reals)
        if one.sync() is None:
            raise NotNowError
        one.kills_sync()
        self.note(plan.SYNC, one.name)
        yield self.scene.size.down_s
        one.starts()

    def writers(self) -> Steps:
        """Kill a process of writers; it is started again."""
        one = self.chance.choice(self.scene.writers)
        if one.process is None:
            raise NotNowError
        one.end(signal.SIGKILL)
        self.note(plan.WRITERS, f"process {one.number}, {len(one.hosts)} hosts")
        yield self.scene.size.down_s
        one.start()

    def daemon(self) -> Steps:
        """Kill a daemon; the next hook starts another one."""
        one = self.chance.choice(self.scene.reals)
        one.kills_daemon()
        self.note(plan.DAEMON, one.name)
        yield self.scene.size.down_s
        one.starts()

    def disk(self) -> Steps:
        """Fill the disks below a daemon's home and below some writers, for a while."""
        if os.geteuid():
            self.scene.run.skipped[plan.DISK] = "only root can mount a small disk"
            return
        folders = (self.scene.disk, self.scene.reals[-1].home.path)
        if any((one / "ballast").exists() for one in folders):
            raise NotNowError
        for one in folders:
            fill(one)
        names = [name for name, at in self.scene.places.items() if at.parent == self.scene.disk]
        self.note(plan.DISK, ", ".join([*names, self.scene.reals[-1].name]))
        before, end = disk_refusals(self.scene), monotonic() + MORE_S
        yield 2 * self.scene.size.down_s
        while disk_refusals(self.scene) == before and monotonic() < end:
            yield 0.5  # SQLite may have room in its log
        for one in folders:
            (one / "ballast").unlink()

    def clock(self) -> Steps:
        """Let the clock of a writer be off by an hour from now on."""
        shifts = self.scene.orders.shifts
        name = self.chance.choice([one for one in self.scene.places if one not in shifts])
        shifts[name] = self.chance.choice((3600.0, -3600.0))
        self.scene.orders.publish(self.scene.folder)
        self.note(plan.CLOCK, f"{name}, {shifts[name]:+.0f} s")
        yield 0

    def delayed(self) -> Steps:
        """Delay what a group of hosts sends and receives, for a while."""
        return self._network(plan.DELAYED, "delay", 0)

    def dropped(self) -> Steps:
        """Lose what a group of writers sends and receives; open connections stay lost."""
        first = len(self.scene.reals) if self.scene.size.short else 0  # a daemon's waits a minute
        return self._network(plan.DROPPED, "lose", first)

    def cut(self) -> Steps:
        """Cut the connections of a group of hosts, and refuse others for a while."""
        return self._network(plan.CUT, "cut", 0)

    def _network(self, kind: str, word: str, first: int) -> Steps:
        network = self.scene.network
        free = [one for one in range(first, len(network.ports)) if one not in network.busy]
        group = self.chance.choice(free)
        network.busy.add(group)
        network.tell(word, group)
        self.note(kind, self._hosts(group))
        yield 2 * self.scene.size.down_s
        network.tell("heal", group)
        network.busy.discard(group)

    def _hosts(self, group: int) -> str:
        reals = self.scene.reals
        if group < len(reals):
            return reals[group].name
        numbers = range(len(self.scene.places))
        return f"{sum(self.scene.group_of(one) == group for one in numbers)} writers"

    def schema(self) -> Steps:
        """Update the store while hosts send; half of the writers are upgraded, some before it."""
        self._expect_database()
        early, late = self.scene.writers[:2]
        early.upgrade()
        end = monotonic() + MORE_S
        while not said_by(early, TOO_NEW) and monotonic() < end:
            yield 0.5
        while self.scene.server.process is None:
            yield 0.5
        with self.scene.admin() as admin:
            steps = next_version.update(admin)
        late.upgrade()
        hosts = len(early.hosts) + len(late.hosts)
        self.note(plan.SCHEMA, f"{', '.join(steps)}; {hosts} writers upgraded")

    def refused(self) -> Steps:
        """Refuse old clients until each has said it; one process of them is upgraded then."""
        self._expect_database()
        first, last = self.scene.writers[2:PROCESSES]
        names = self._old((first, last))
        begun = monotonic()
        self._serve_from(next_version.VERSION)
        self.note(plan.REFUSED, f"{len(names)} hosts")
        upgraded = False
        while monotonic() < begun + self.scene.size.refused_s + MORE_S:
            said = refusals(self.scene)
            if not upgraded and said >= set(first.hosts):
                first.upgrade()
                upgraded = True
            if said >= set(names) and monotonic() > begun + self.scene.size.refused_s:
                break
            yield 0.5
        self._serve_from(1)
        if self.scene.size.short:
            self._restart(last)

    def _old(self, writers: tuple[Writers, ...]) -> list[str]:
        """Return the old clients; in a short run without daemons, whose heartbeat is too slow."""
        names = [name for one in writers for name in one.hosts]
        if not self.scene.size.short:
            names += [one.name for one in self.scene.reals]
        self.scene.run.old = tuple(names)
        return names

    def _serve_from(self, client: int) -> None:
        with self.scene.admin() as admin:
            admin.execute("UPDATE hookd.meta SET oldest_client = %s", [client])

    def _restart(self, writers: Writers) -> None:
        """Restart what was refused, as a person does who has no minute to wait."""
        writers.end()
        writers.start()
        for one in self.scene.reals:
            one.kills_sync()
            one.starts()

    def _expect_database(self) -> None:
        if self.scene.server.process is None:
            raise NotNowError


def refusals(scene: Scene) -> set[str]:
    """Return the hosts that have said that they are too old."""
    found = {one.name for one in scene.reals if any(TOO_OLD in line for line in one.logged())}
    return found.union(*(said_by(one, TOO_OLD) for one in scene.writers))


def said_by(writers: Writers, words: str) -> set[str]:
    """Return the hosts of a process that have said a sentence with these words."""
    return {line["host"] for line in writers.lines() if words in line.get("said", "")}


def disk_refusals(scene: Scene) -> int:
    """Return how many transactions of writers a full disk has refused."""
    most: dict[int, int] = {}
    for one in scene.writers:
        for line in one.lines():
            if count := line.get("failed"):
                most[line["pid"]] = max(count, most.get(line["pid"], 0))
    return sum(most.values())


def _start_database(scene: Scene) -> None:
    """Start PostgreSQL; a process of the killed one may hold its memory for a moment."""
    for _ in range(10):
        try:
            scene.server.start()
        except AssertionError:
            continue
        return
    scene.server.start()


_KINDS: dict[str, Callable[[Faults], Steps]] = {
    plan.DATABASE: Faults.database,
    plan.SYNC: Faults.sync,
    plan.WRITERS: Faults.writers,
    plan.DAEMON: Faults.daemon,
    plan.DISK: Faults.disk,
    plan.CLOCK: Faults.clock,
    plan.DELAYED: Faults.delayed,
    plan.DROPPED: Faults.dropped,
    plan.CUT: Faults.cut,
    plan.SCHEMA: Faults.schema,
    plan.REFUSED: Faults.refused,
}
