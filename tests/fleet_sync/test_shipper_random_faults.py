"""Random work and faults: each event that is to be sent is sent once, and no other ever is."""

import asyncio
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from sqlite3 import Connection, connect
from typing import Any, get_args
from uuid import uuid4

import pytest

from hookd.central.errors import CentralError, UnreachableError
from hookd.core.model.effects.fleet import DropRejected, LeaveFleet, RetryRejected
from hookd.core.model.effects.sessions import SetBranch
from hookd.core.model.membership import FleetMode, Position, Stream
from hookd.fleet_sync.shipper import Pace
from hookd.fleet_sync.store import NotMemberError
from hookd.store import writes
from hookd.store.writes.forget import forget
from support.central import Store
from support.database_rows import AT, event, session, write
from support.fleet_host import FleetHost, fleet_host
from support.outbox import joined

STEPS = 40
SMALL = Pace(rows=3, poll_s=0.01, beat_s=0.1)
LONG = "x" * 101
"""A name that the central store refuses."""


class KilledError(Exception):
    """The sync process is killed here."""


@dataclass
class Run:
    """A host on which random things happen, and what the central store may have of it.

    `must` are the events that it has to have in the end, `may` those that it may have, once. An
    event is known by its tool's name: numbers come again when an older database is put back.
    `wanted` were recorded in a mode that sends them, `past` are those of before a leave or restore.
    """

    host: FleetHost
    tenant: str
    chance: random.Random
    copy: Connection
    mode: FleetMode | None = "decisions"
    must: set[str] = field(default_factory=set)
    may: set[str] = field(default_factory=set)
    wanted: set[str] = field(default_factory=set)
    past: set[str] = field(default_factory=set)
    pending: dict[int, str] = field(default_factory=dict)
    of_session: dict[str, int] = field(default_factory=dict)
    sessions: dict[int, str] = field(default_factory=lambda: {1: "plain", 4: "loose"})
    saved: tuple[Any, ...] | None = None
    risk: float = 0.0

    @property
    def db(self) -> Connection:
        return self.host.db

    def record(self) -> None:
        for _ in range(self.chance.randint(1, 6)):
            ((number,),) = self.db.execute("SELECT coalesce(max(id), 0) + 1 FROM events")
            count = len(self.of_session)
            name, at = f"tool {count}", f"2026-01-31T08:{count // 60:02}:{count % 60:02}.000Z"
            late, of = self.chance.random() < 0.3, self.chance.choice(list(self.sessions))
            more = {"session_id": of, "claude_session_id": self.sessions[of], "pending": late}
            writes.record(self.db, event(number, tool_name=name, at=at, **more))
            self.of_session[name] = of
            if self.mode in ("decisions", "events"):
                self.must.add(name)
                self.wanted.add(name)
            if late:
                self.pending[number] = name

    def settle(self) -> None:
        if not self.pending:
            return
        number = self.chance.choice(list(self.pending))
        name = self.pending.pop(number)
        if self.mode is None:
            self._allow({name})
        writes.settle(self.db, event(number, session_id=self.of_session[name]), (), AT)

    def change_session(self) -> None:
        write(self.db, [SetBranch(self.chance.choice(list(self.sessions)), uuid4().hex)])

    def choose_mode(self) -> None:
        mode = self.chance.choice(get_args(FleetMode))
        if self.mode in (None, "status") and mode != "status":
            self._allow(self._waiting())
        self.mode = mode
        write(self.db, [joined(mode, tenant=self.tenant, epoch=str(uuid4()))])

    def leave(self) -> None:
        write(self.db, [LeaveFleet(announce=True)])
        self._allow(set(self.pending.values()))
        self.mode, self.saved, self.past = None, None, set(self.of_session)
        self.send()
        write(self.db, [LeaveFleet(announce=False)])

    def forget_session(self) -> None:
        """Forget a session. Another membership has no rows of this one to delete."""
        of = self.chance.choice(list(self.sessions))
        gone = {name for name, owner in self.of_session.items() if owner == of}
        self.must -= gone
        kept = gone if self.mode is None else gone & self.past
        self.may = self.may - gone | kept
        self.pending = {n: name for n, name in self.pending.items() if name not in gone}
        forget(self.db, of)
        ((last,),) = self.db.execute("SELECT max(id) FROM sessions")
        number = max(last, *self.sessions) + 1
        del self.sessions[of]
        self.sessions[number] = f"s{number}"
        write(self.db, [session(number, f"s{number}")])

    def spoil(self) -> None:
        sql = "SELECT id, tool_name FROM events WHERE kind = 'hook' ORDER BY id DESC LIMIT 5"
        if found := self.db.execute(sql).fetchall():
            number, name = self.chance.choice(found)
            self.db.execute("UPDATE events SET event = ? WHERE id = ?", (LONG, number))
            self._allow({name})  # it may be dropped

    def retry(self) -> None:
        self.db.execute("UPDATE events SET event = 'Stop' WHERE event = ?", (LONG,))
        fixed = "UPDATE outbox SET body = json_set(body, '$.event', 'Stop') WHERE kind = 'event'"
        self.db.execute(fixed)
        write(self.db, [RetryRejected()])

    def drop(self) -> None:
        write(self.db, [DropRejected()])

    def save(self) -> None:
        if self.mode is not None:
            self.db.backup(self.copy)
            known = set(self.of_session)
            self.saved = (self.mode, dict(self.sessions), known, set(self.pending.values()))

    def restore(self) -> None:
        """Put the older copy back. What waited for user hooks then is never settled."""
        if self.saved is None:
            return
        self.copy.backup(self.db)
        self.mode, self.sessions, known, pending = self.saved
        self.past, self.saved = set(self.of_session), None
        self._allow((self.past - known) | pending | set(self.pending.values()))
        self.may |= self.wanted - self.must  # those that were forgotten since are there again
        self.pending = {}

    def send_with_faults(self) -> None:
        self.risk, self.host.ledger.down = self.chance.choice([0, 0.2, 0.5]), self._happens(0.25)
        with suppress(CentralError, KilledError, NotMemberError):
            asyncio.run(self.host.shipper(SMALL).once())
        self.risk, self.host.ledger.down = 0, False

    def send(self) -> None:
        """Send all that waits: an older copy, or another epoch, is noticed at the first attempt."""
        for _ in range(3):
            with suppress(NotMemberError):
                asyncio.run(self.host.shipper(SMALL).once())

    def work_meanwhile(self) -> None:
        """Do what the daemon may do while the sync process waits."""
        acts = (self.record, self.settle, self.change_session, self.forget_session)
        while self._happens(self.risk):
            self.chance.choice((*acts, self.choose_mode))()

    def fail(self) -> None:
        """Lose the connection, or the process, by chance."""
        if self._happens(self.risk):
            raise self.chance.choice([UnreachableError("lost"), KilledError()])

    def _happens(self, chance: float) -> bool:
        return self.chance.random() < chance

    def _allow(self, names: set[str]) -> None:
        self.may |= names & self.must
        self.must -= names

    def _waiting(self) -> set[str]:
        sql = (
            "SELECT tool_name FROM unsent_events UNION SELECT e.tool_name FROM events e"
            " JOIN outbox o ON o.kind = 'event' AND o.row_id = e.id"
        )
        return {name for (name,) in self.db.execute(sql)} | set(self.pending.values())


def with_faults(run: Run) -> None:
    """Let the connections and the ledger of a host fail before and after their work."""
    connected, shipped = run.host.connect, run.host.ledger.shipped

    async def connecting() -> Any:
        link = await connected()  # type: ignore[misc]
        ship = link.ship

        async def shipping(epoch: str, stream: Stream, lines: bytes) -> int:
            run.work_meanwhile()
            run.fail()
            last: int = await ship(epoch, stream, lines)
            run.work_meanwhile()
            run.fail()
            return last

        link.ship = shipping
        return link

    async def settling(epoch: str, sent: Position) -> bool:
        run.fail()
        current = await shipped(epoch, sent)
        run.fail()
        return current

    run.host.connect = connecting
    run.host.ledger.shipped = settling  # type: ignore[method-assign]


@pytest.fixture
def run(tmp_path: Path, central: Store, seed: int) -> Iterator[Run]:
    with (
        fleet_host(tmp_path, central) as (host, tenant),
        closing(connect(tmp_path / "copy.db")) as copy,
    ):
        made = Run(host, tenant, random.Random(seed), copy)
        with_faults(made)
        yield made


@pytest.mark.parametrize("seed", range(6))
def test_each_event_is_sent_once_whatever_happens(run: Run, central: Store) -> None:
    often = [run.record] * 6 + [run.settle] * 4 + [run.send_with_faults] * 8
    some = [run.choose_mode, run.save, run.restore] * 2
    rare = [run.change_session, run.forget_session, run.spoil, run.retry, run.drop, run.leave]
    for _ in range(STEPS):
        run.chance.choice([*often, *some, *rare])()
    while run.pending:
        run.settle()
    run.retry()
    run.send()
    found = central.rows(f"SELECT tool FROM hookd.events WHERE tenant = '{run.tenant}'")
    sent = Counter(name for (name,) in found)
    assert not {name for name, count in sent.items() if count > 1}, "sent twice"
    assert not run.must - set(sent), "lost"
    assert not set(sent) - run.must - run.may, "not to be sent"
    assert run.db.execute("SELECT waiting + rejected FROM fleet_member").fetchall() in ([], [(0,)])
    assert run.db.execute("SELECT count(*) FROM outbox").fetchone() == (0,)
