"""A host without a daemon: a real database that is written with hookd's own code, and its shipper.

What a process does for it is what `hookd serve` and `hookd fleet sync` do, with the same outbox.
"""

import json
import random
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, get_args
from uuid import uuid4

from fleet_load import next_version
from fleet_load.orders import Work, WriterConfig
from hookd.config.models import Settings
from hookd.core.model.effects.fleet import DropShipped, NoteContact, RejectRow, RestartOutbox
from hookd.core.model.effects.messages import Status
from hookd.core.model.effects.sessions import (
    EndSession,
    OpenSession,
    SetBranch,
    SetContextUsage,
    SetHeartbeat,
    SetSessionStatus,
)
from hookd.core.model.effects.union import RowEffect
from hookd.core.model.facts import iso
from hookd.core.model.membership import Position, Stream
from hookd.fleet_sync import link
from hookd.fleet_sync.content import Content
from hookd.fleet_sync.shipper import Host, Pace, Shipper
from hookd.fleet_sync.store import Central, LedgerError, NotMemberError, Report
from hookd.redaction.redact import record
from hookd.store import writes
from hookd.store.database import open_database
from hookd.store.facts.fleet import waiting
from hookd.store.outbox import Outbox
from hookd.store.writes.forget import forget
from hookd.system import fleet_files

_EVENTS = ("PreToolUse", "PostToolUse")
_PENDING = 10
"""Each event of a number that this divides waits for user hooks until the next transaction."""
_STATUSES = tuple(one for one in get_args(Status) if one != "done")
_OPEN = "SELECT id, claude_session_id, heartbeat_counter FROM sessions WHERE ended_at IS NULL"
_NEXT = "SELECT coalesce(max(id), 0) + 1 FROM {}"
_ENDED = (
    "SELECT id FROM sessions WHERE ended_at IS NOT NULL"
    " AND id < (SELECT max(id) FROM sessions) ORDER BY random() LIMIT 1"
)
LEFT = (
    "SELECT e.id, e.event, coalesce(e.decision, ''),"
    " EXISTS (SELECT 1 FROM outbox_overview o WHERE o.kind = 'event' AND o.row_id = e.id)"
    " FROM events e WHERE e.session_id = ? AND e.pending = 0 ORDER BY e.id"
)
"""Events of a session that is to be forgotten: number, name, decision, and whether each waits."""


class WriterHost:
    """One host; `failed` counts transactions that a full disk refused."""

    def __init__(
        self, config: WriterConfig, work: Work, folder: Path, say: Callable[[str, str], None]
    ) -> None:
        self.config, self.work, self._folder = config, work, folder
        self.place = Path(config.folder)
        self.db = open_database(self.place / "hookd.db")
        self.outbox = Outbox(self.place / "hookd.db")
        self.shift = 0.0
        self.written = self.failed = 0
        self._chance = random.Random()
        self._pending: list[writes.Event] = []
        self._say = say

    def now(self) -> datetime:
        """Return the time by the clock of this host."""
        return datetime.now(UTC) + timedelta(seconds=self.shift)

    def waiting(self) -> int:
        """Return how many rows wait."""
        return waiting(self.db)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit what the block writes, or nothing."""
        self.db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.db.execute("COMMIT")
        except BaseException:
            if self.db.in_transaction:
                self.db.execute("ROLLBACK")
            raise

    def write(self, *effects: RowEffect) -> None:
        """Write effects in a transaction of their own, as the daemon does for the sync process."""
        with self.transaction():
            for effect in effects:
                writes.write(self.db, effect, iso(self.now()))

    def works(self, count: int) -> None:
        """Write so many events and what changes with them, in one transaction."""
        at = iso(self.now())
        try:
            with self.transaction():
                for event in self._pending:
                    writes.settle(self.db, event, (), at)
                pending = self._events(count, at)
                self._changes(at)
        except sqlite3.OperationalError as error:
            if "full" not in str(error):
                raise
            self.failed += 1
            return
        self._pending = pending
        self.written += count

    def opens(self, count: int) -> None:
        """Open so many sessions."""
        for _ in range(count):
            (number,) = self.db.execute(_NEXT.format("sessions")).fetchone()
            given: dict[str, Any] = dict.fromkeys(OpenSession.__dataclass_fields__)
            known = {"id": number, "claude_session_id": str(uuid4()), "source": "startup"}
            known |= {"own_effort": False, "status": "idle", "model": "claude-opus-4-5"}
            writes.write(self.db, OpenSession(**(given | known)), iso(self.now()))

    def _events(self, count: int, at: str) -> list[writes.Event]:
        """Write events; return those that wait for user hooks, as these will settle them."""
        pending = []
        sessions = self.db.execute(_OPEN).fetchall()
        (first,) = self.db.execute(_NEXT.format("events")).fetchone()
        for number in range(first, first + count):
            session, conversation, calls = self._chance.choice(sessions)
            name, denied = _EVENTS[number % 2], number % 20 == 0
            command = {"command": f"echo {self.config.name} {number}"}
            payload = {"hook_event_name": name, "tool_name": "Bash", "tool_input": command}
            more: dict[str, Any] = {}
            if denied:
                more = {"decision": "deny", "rule": "destructive-guard"}
                more["answer"] = json.dumps({"decision": "block", "reason": f"no {number}"})
            whole = partial(
                writes.Event, number, at, name, record(payload), session, conversation,
                tool_name="Bash", duration_us=1_000 + number % 999, client="claude-code",
            )  # fmt: skip
            if number % _PENDING == 0:
                pending.append(whole(**more))
                writes.record(self.db, whole(pending=True))
            else:
                writes.record(self.db, whole(**more))
            writes.write(self.db, SetHeartbeat(session, calls + 1, None, calls=1), at)
        return pending

    def _changes(self, at: str) -> None:
        """Change the state of a session; end one and open another; forget one, at times."""
        chance = self._chance.random
        session = self._chance.choice(self.db.execute(_OPEN).fetchall())[0]
        if chance() < 0.5:
            writes.write(self.db, SetSessionStatus(session, self._chance.choice(_STATUSES), 0), at)
        if chance() < 0.2:
            writes.write(self.db, SetBranch(session, f"topic-{self._chance.randrange(99)}"), at)
        if chance() < 0.2:
            share, cost = round(chance(), 3), round(9 * chance(), 3)
            writes.write(self.db, SetContextUsage(session, share, "event", cost), at)
        if chance() < 0.1:
            writes.write(self.db, EndSession(session, "clear"), at)
            self.opens(1)
        if chance() < 0.02:
            self._forgets()

    def _forgets(self) -> None:
        """Forget an ended session. Its events are noted before, outside of the database."""
        found = self.db.execute(_ENDED).fetchone()
        if found is None:
            return
        events = self.db.execute(LEFT, found).fetchall()
        with (self._folder / f"forgotten-{self.config.name}").open("a") as file:
            print(json.dumps({"session": found[0], "events": events}), file=file)
        forget(self.db, found[0])

    def shipper(self) -> Shipper:
        """Return a shipper, as the sync process has it."""
        given = fleet_files.read_credential(self._folder / f"{self.config.name}.json")
        cursor = self.place / "cursor.json"
        upgraded = next_version.is_next()

        async def connect() -> Central:
            to = next_version.connect if upgraded else link.connect
            return await to(given, self.now, self.work.answer_s)

        return Shipper(
            Host(
                self.outbox,
                _Ledger(self),
                connect,
                lambda: str(uuid4()),
                random.random,
                lambda sentence: self._say(self.config.name, sentence),
                Content(self.outbox, Settings().fleet.deny_fields).batch,
                lambda: fleet_files.read_cursor(cursor),
                lambda epoch, sent: fleet_files.write_cursor(cursor, epoch, sent),
            ),
            Pace(beat_s=self.work.beat_s),
        )


class _Ledger:
    """The ledger of a host whose daemon is this process."""

    def __init__(self, host: WriterHost) -> None:
        self._host = host

    async def shipped(self, epoch: str, sent: Position) -> bool:
        """Note what was sent; return whether the epoch is current."""
        member = self._host.outbox.membership()
        if member is None:
            raise NotMemberError
        if member.epoch == epoch:
            self._write(DropShipped(sent["changes"], sent["events"]))
        return member.epoch == epoch

    async def reject(self, stream: Stream, seq: int, reason: str) -> None:
        """Keep a row that the central store refuses."""
        self._write(RejectRow(seq, reason, stream))

    async def restart(self, epoch: str, sent: Position, known: list[int]) -> None:
        """Begin another epoch."""
        self._write(RestartOutbox(epoch, sent["changes"], tuple(known), sent["events"]))

    async def report(self, report: Report) -> None:
        """Store how sending goes."""
        self._write(NoteContact(report.contact, report.problem, report.step, report.clock_ms))

    def _write(self, effect: RowEffect) -> None:
        try:
            self._host.write(effect)
        except sqlite3.Error as error:
            raise LedgerError(str(error)) from None
