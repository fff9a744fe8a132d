"""A host of a fleet for tests: its database, and a shipper that writes it as the daemon would."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from sqlite3 import Connection
from uuid import uuid4

from hookd.central.logins import Login
from hookd.core.fleet.credential import Credential, credential_text
from hookd.core.model.effects.fleet import (
    DropShipped,
    NoteContact,
    RejectRow,
    RestartOutbox,
)
from hookd.core.model.membership import FleetMode, Position, Stream
from hookd.fleet_sync import link
from hookd.fleet_sync.content import Content
from hookd.fleet_sync.shipper import Host, Pace, Shipper
from hookd.fleet_sync.store import Central, LedgerError, Report
from hookd.store.database import open_database
from hookd.store.outbox import Outbox
from support.central import Store
from support.database_rows import fill, write
from support.home import Home
from support.outbox import joined

QUICK = Pace(rows=50, poll_s=0.01, beat_s=0.1)


class DatabaseLedger:
    """A ledger that writes the database itself, with the daemon's effects."""

    def __init__(self, db: Connection) -> None:
        self.db = db
        self.down = False
        self.reports: list[Report] = []

    async def shipped(self, epoch: str, sent: Position) -> bool:
        self._expect_daemon()
        write(self.db, [DropShipped(sent["changes"], sent["events"])])
        return bool(self.db.execute("SELECT epoch FROM fleet_membership").fetchone()[0] == epoch)

    async def reject(self, stream: Stream, seq: int, reason: str) -> None:
        self._expect_daemon()
        write(self.db, [RejectRow(seq, reason, stream)])

    async def restart(self, epoch: str, sent: Position, known: list[int]) -> None:
        self._expect_daemon()
        write(self.db, [RestartOutbox(epoch, sent["changes"], tuple(known), sent["events"])])

    async def report(self, report: Report) -> None:
        self.reports.append(report)
        self._expect_daemon()
        write(self.db, [NoteContact(report.contact, report.problem, report.step, report.clock_ms)])

    def _expect_daemon(self) -> None:
        if self.down:
            raise LedgerError("No daemon is running.")


@dataclass
class FleetHost:
    """A host's database and connections; `said` is what its shipper says."""

    path: Path
    db: Connection
    outbox: Outbox
    ledger: DatabaseLedger
    connect: Callable[[], object]
    said: list[str] = field(default_factory=list)
    clock: Callable[[], datetime] = lambda: datetime.now(UTC)
    kept: tuple[str, Position] = ("", {})

    def shipper(self, pace: Pace = QUICK, denied: tuple[str, ...] = ()) -> Shipper:
        """Return a shipper, as another process would have it."""

        def keep(epoch: str, sent: Position) -> None:
            self.kept = (epoch, sent)

        return Shipper(
            Host(
                self.outbox,
                self.ledger,
                self.connect,  # type: ignore[arg-type]
                lambda: str(uuid4()),
                lambda: 0.5,
                self.said.append,
                Content(self.outbox, denied).batch,
                lambda: self.kept,
                keep,
            ),
            pace,
        )

    def sends(self) -> Shipper:
        """Send what waits."""
        shipper = self.shipper()
        asyncio.run(shipper.once())
        return shipper

    @property
    def waiting(self) -> int:
        """How many rows wait, refused ones too."""
        changes = "SELECT 1 FROM outbox WHERE rejected IS NOT NULL OR seq > shipped"
        return int(
            self.db.execute(
                f"SELECT (SELECT count(*) FROM ({changes}))"
                " + (SELECT count(*) FROM unsent_events) FROM fleet_membership"
            ).fetchone()[0]
        )


def credential_of(central: Store, tenant: str, host: str, login: Login) -> Credential:
    """Return the credential of a host."""
    from hookd.core.fleet import signing

    key = central.host_keys[tenant, host]
    public = signing.public_key(key)
    mark = signing.certificate(central.fleet_key, tenant=tenant, host=host, host_key=public)
    keys = (signing.public_key(central.fleet_key),)
    address = central.address(login)
    server = {name: value for name, value in address.items() if name != "user"}
    return Credential(tenant, host, server, login.role, login.password, key, mark, keys)


@contextmanager
def fleet_host(
    path: Path, central: Store, mode: FleetMode = "decisions", host: str = "ann"
) -> Iterator[tuple[FleetHost, str]]:
    """Yield a host with some sessions that is in a fleet of its own, and the tenant's name."""
    tenant = f"t{uuid4().hex[:12]}"
    central.add_tenant(tenant)
    given = credential_of(central, tenant, host, central.add_host(tenant, host))

    async def connect() -> Central:
        return await link.connect(given, made.clock)

    with closing(open_database(path / "hookd.db")) as db:
        fill(db)
        write(db, [joined(mode, tenant=tenant, host=host, epoch=str(uuid4()))])
        with closing(Outbox(path / "hookd.db")) as outbox:
            made = FleetHost(path, db, outbox, DatabaseLedger(db), connect)
            yield made, tenant


def join_file(home: Home, central: Store, host: str = "ann") -> tuple[Path, str]:
    """Write the file of a host of a new tenant; return it with the tenant."""
    tenant = f"t{uuid4().hex[:12]}"
    central.add_tenant(tenant)
    given = credential_of(central, tenant, host, central.add_host(tenant, host))
    file = home.path / f"{host}.json"
    file.touch(mode=0o600)
    file.write_text(credential_text(given))
    return file, tenant
