"""Shipper: sends the outbox of one host, and its events, to the central store, each row once.

They are two streams, each in the order of its numbers. The central store keeps the number of the
last row that it has of each, and applies a batch and moves that number in one transaction. So a
batch whose answer was lost is not applied again. The shipper reads the database, and never writes
it: the daemon notes what was sent.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from hookd.central.errors import (
    CentralError,
    NewerSchemaError,
    RefusedError,
    RejectedError,
    TooManyError,
    UnreachableError,
)
from hookd.core.fleet.back_off import pause
from hookd.core.model.membership import Membership, Position, Stream
from hookd.fleet_sync.store import (
    Beat,
    Central,
    Ledger,
    LedgerError,
    NotMemberError,
    Report,
)
from hookd.lazy_dataclass import dataclass
from hookd.log.logger import LOG
from hookd.store.database import StoreError
from hookd.store.outbox import NO_LIMIT, Batch, Outbox

_TURN = 8
"""Batches of events that are sent before other changes are looked for, such as mail."""

_LASTING_S = 60.0
"""Time until the next attempt where only a person can change the reason."""


@dataclass(frozen=True, slots=True)
class Pace:
    """Rows of a batch, seconds between two looks at the database, and between two heartbeats."""

    rows: int = 4_000
    poll_s: float = 0.2
    beat_s: float = 10.0


@dataclass(frozen=True, slots=True)
class Host:
    """What belongs to one host; `connect` opens a connection to the central store.

    `lines` turns a range of rows into lines for COPY; None: as SQLite builds them. `cursor` reads
    the epoch and position outside of the database, `keep_cursor` stores them. `new_epoch` returns
    a new name of an epoch, `chance` a random number from 0 to 1.
    """

    outbox: Outbox
    ledger: Ledger
    connect: Callable[[], Awaitable[Central]]
    new_epoch: Callable[[], str]
    chance: Callable[[], float]
    say: Callable[[str], None]
    lines: Callable[[Stream, int, int, int], Batch | None] | None = None
    cursor: Callable[[], tuple[str, Position]] = lambda: ("", {})
    keep_cursor: Callable[[str, Position], None] = lambda _epoch, _sent: None


class Shipper:
    """Sends the outbox of one host; many of them can run in one process."""

    def __init__(self, host: Host, pace: Pace | None = None) -> None:
        self._host = host
        self._pace = pace or Pace()
        self._batch = host.lines or host.outbox.batch
        self._epoch = ""
        self._sent: Position = {}
        self._settled: Position = {}
        self._following: asyncio.Future[Batch | None] | None = None
        self._failures = 0
        self._said = ""
        self.rows = 0
        self.rejected = 0

    async def run(self) -> None:
        """Send until cancelled, or until the host is in no fleet."""
        while True:
            try:
                await self._session(once=False)
            except NotMemberError:
                return
            except CentralError as error:
                lasting = isinstance(error, RefusedError | NewerSchemaError)
                kind = "unreachable" if isinstance(error, UnreachableError) else ""
                await self._failed(str(error), error.step, kind, lasting=lasting)
            except StoreError as error:
                sentence = f"The database of hookd cannot be read: {error}"
                await self._failed(sentence, "hookd doctor", lasting=False)
            except Exception as error:  # noqa: BLE001 - nothing may start another process
                sentence = f"Sending failed by an error of hookd ({type(error).__name__})."
                if not self._said.startswith(sentence):
                    LOG.exception("sending failed")
                await self._failed(sentence, "hookd doctor; report it", lasting=True)

    async def once(self) -> None:
        """Send what waits, and return. Raise CentralError, NotMemberError, StoreError."""
        await self._session(once=True)

    async def _session(self, *, once: bool) -> None:
        """Send over one connection, until it fails; with `once`, until nothing waits."""
        self._member()
        central = await self._host.connect()
        try:
            await self._begin(central)
            self._failures = 0
            self._tell("")
            while True:
                await self._drain(central)
                await self._settle()
                await self._report(Report(contact=True, clock_ms=central.clock_ms))
                if once:
                    return
                await self._until_beat(central)
                await central.hello(self._epoch, self._beat())
        finally:
            await central.close()

    def _member(self) -> Membership:
        """Return the membership. Raise NotMemberError without one."""
        found = self._host.outbox.membership()
        if found is None:
            raise NotMemberError
        return found

    def _beat(self) -> Beat:
        member = self._member()
        sessions = self._host.outbox.open_sessions()
        return Beat(member.mode, member.accept, sessions, leaving=member.leaving)

    async def _begin(self, central: Central) -> None:
        """Find where to continue."""
        member, outbox = self._member(), self._host.outbox
        known = sent_position(member)
        last = await central.hello(member.epoch, self._beat())
        epoch, sent = self._host.cursor()
        older = any(sent[stream] > known[stream] for stream in sent)
        if epoch != member.epoch:
            # A later epoch that the database does not know, unless this process began that of now,
            # and could not note it.
            older = epoch != "" and member.epoch != self._epoch
            sent = sent if older else known
        if older or any(last[stream] > outbox.last(stream) for stream in last):
            await self._restart(central, member, {one: max(sent[one], last[one]) for one in last})
            return
        self._epoch = member.epoch
        self._sent = {stream: max(last[stream], known[stream]) for stream in known}
        self._settled = known

    async def _restart(self, central: Central, member: Membership, last: Position) -> None:
        """Begin another epoch: the database is an older copy of what was sent before."""
        outbox, sent = self._host.outbox, last | {"events": member.shipped_events}
        changes = outbox.rows("changes", 0, NO_LIMIT, last["changes"]).rows
        late = [row for row in changes if row.kind == "event"]
        events = outbox.rows("events", sent["events"], NO_LIMIT, last["events"]).rows
        asked = [(row.row_id, row.at) for row in (*late, *events) if row.row_id is not None]
        there = set(await central.sent(asked)) if asked else set()
        sent["events"] = max(
            (row.seq for row in events if row.seq in there), default=sent["events"]
        )
        fresh = self._host.new_epoch()
        upto = f"{last['changes']}, and its events up to {last['events']}"
        self._tell(
            "An older copy of the database was put back: the central store has its changes up to"
            f" {upto}. What waits is sent as epoch {fresh}"
        )
        known = [row.seq for row in late if row.row_id in there]
        try:
            await self._host.ledger.restart(fresh, sent, known)
        except LedgerError as error:
            raise CentralError(f"A new epoch cannot be stored: {error}", "hookd start") from None
        with suppress(OSError):
            self._host.keep_cursor(fresh, sent)
        await central.hello(fresh, self._beat())
        self._epoch, self._sent, self._settled = fresh, sent, dict(sent)

    async def _drain(self, central: Central) -> None:
        """Send all that waits: other changes before events, and again between many events."""
        more = True
        while more:
            await self._send(central, "changes", NO_LIMIT)
            more = await self._send(central, "events", _TURN)

    async def _send(self, central: Central, stream: Stream, batches: int) -> bool:
        """Send at most so many batches; while one is sent, a thread reads the next one.

        Return whether more may wait. Nothing that was read may wait for another stream: a session
        could be forgotten meanwhile.
        """
        batch = self._next(stream, self._sent[stream])
        while batch:
            batches -= 1
            self._following = None
            # Rows that come while the batch is sent wait for it: one batch of them costs less.
            if batches and self._host.outbox.last(stream) > batch.last:
                loop = asyncio.get_running_loop()
                self._following = loop.run_in_executor(None, self._next, stream, batch.last)
            try:
                await self._ship(central, stream, batch)
            finally:
                ahead = await self._following if self._following else None
            await self._settle()
            if not batches:
                return True
            batch = ahead or self._next(stream, self._sent[stream])
        return False

    def _next(self, stream: Stream, after: int) -> Batch | None:
        return self._batch(stream, after, self._pace.rows, NO_LIMIT)

    async def _ship(self, central: Central, stream: Stream, batch: Batch) -> None:
        """Send a batch; keep each row that is refused, and send the rest."""
        until, count = batch.last, batch.count
        part: Batch | None = batch
        while part:
            try:
                if part.count:
                    await central.ship(self._epoch, stream, part.lines)
            except RejectedError as error:
                seq = part.first if part.count == 1 else error.seq
                if seq is not None and part.first <= seq <= part.last:
                    await self._reject(stream, seq, str(error))
                else:  # the central store does not say which row it is
                    count = part.count // 2
            except TooManyError:
                if part.count == 1:
                    raise
                count = part.count // 2  # a tenant may allow fewer rows a minute than a batch has
            else:
                self.rows += part.count
                self._sent[stream], count = part.last, max(batch.count, 1)
            part = self._batch(stream, self._sent[stream], count, until)
        self._sent[stream] = until

    async def _reject(self, stream: Stream, seq: int, reason: str) -> None:
        try:
            await self._host.ledger.reject(stream, seq, reason)
        except LedgerError as error:  # it would be dropped with the rows after it
            raise CentralError(f"A refused row cannot be kept: {error}", "hookd start") from None
        self.rejected += 1
        if self._following:  # until it ends, the connection sees the row as it was
            await asyncio.wait([self._following])

    async def _settle(self) -> None:
        """Let the daemon drop what was sent; without a daemon, later."""
        if self._settled == self._sent:
            return
        try:
            current = await self._host.ledger.shipped(self._epoch, self._sent)
        except LedgerError as error:  # it is sent; the daemon drops it when it answers again
            self._tell(f"Rows that were sent stay in the outbox: {error}; next: hookd start")
            return
        if not current:
            raise CentralError("The outbox began another epoch", "hookd fleet outbox")
        self._settled = dict(self._sent)
        with suppress(OSError):
            self._host.keep_cursor(self._epoch, self._settled)

    async def _until_beat(self, central: Central) -> None:
        """Send new rows as they come, until the next heartbeat is due."""
        clock = asyncio.get_running_loop().time
        end = clock() + self._pace.beat_s * (0.9 + self._host.chance() / 5)
        version = -1
        while clock() < end:
            now = self._host.outbox.version()
            if now != version:
                version = now
                await self._drain(central)
            await asyncio.sleep(self._pace.poll_s)

    async def _failed(self, problem: str, step: str, kind: str = "", *, lasting: bool) -> None:
        """Say why nothing can be sent, once, and wait for the next attempt."""
        self._failures += 1
        self._tell(f"{problem.rstrip('.')}. Next: {step}" if step else problem, kind)
        with suppress(NotMemberError):
            await self._report(Report(contact=False, problem=problem, step=step or None))
        chance = self._host.chance()
        await asyncio.sleep(
            _LASTING_S * (0.5 + chance / 2) if lasting else pause(self._failures, chance)
        )

    async def _report(self, report: Report) -> None:
        with suppress(LedgerError):
            await self._host.ledger.report(report)

    def _tell(self, sentence: str, kind: str = "") -> None:
        """Say a sentence, unless the last one was the same, or of the same kind."""
        if sentence and (kind or sentence) != self._said:
            self._host.say(sentence)
        self._said = kind or sentence


def sent_position(member: Membership) -> Position:
    """Return what the daemon has noted as sent."""
    return {"changes": member.shipped, "events": member.shipped_events}
