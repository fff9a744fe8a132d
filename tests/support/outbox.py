"""What tests of the outbox share: a database of a host that has joined a fleet."""

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from sqlite3 import Connection
from typing import Any

from hookd.core.model.effects.fleet import JoinFleet
from hookd.core.model.membership import FleetMode
from hookd.store import writes
from hookd.store.database import open_database
from hookd.store.outbox import Outbox
from support.database_rows import event, fill, write

EPOCH = "0190c2a4-5f3e-7cc1-9a57-3d1f0e2b4a55"


def joined(mode: FleetMode = "status", **more: Any) -> JoinFleet:
    """Return the effect of joining."""
    known = {"tenant": "acme", "host": "ann", "accept": (), "epoch": EPOCH, "keys": ()}
    return JoinFleet(mode=mode, **(known | more))


@contextmanager
def member(path: Path, mode: FleetMode = "decisions") -> Iterator[tuple[Connection, Outbox]]:
    """Yield a filled database of a host in a fleet, and its outbox, which is empty."""
    with closing(open_database(path)) as db:
        fill(db)
        write(db, [joined(mode)])
        db.execute("DELETE FROM outbox")
        with closing(Outbox(path)) as outbox:
            yield db, outbox


def rows(db: Connection) -> list[Any]:
    """Return the kinds and numbers of what waits: the rows of the outbox, then events."""
    found = db.execute("SELECT kind, row_id FROM outbox ORDER BY seq").fetchall()
    return found + db.execute("SELECT 'event', id FROM unsent_events ORDER BY id").fetchall()


def many(db: Connection, count: int, first: int = 100) -> None:
    """Record so many events, in one transaction."""
    db.execute("BEGIN")
    for number in range(first, first + count):
        more = {"tool_name": "Bash", "decision": "deny", "rule": "destructive-guard"}
        writes.record(db, event(number, session_id=1, claude_session_id="plain", **more))
    db.execute("COMMIT")


def bodies(outbox: Outbox) -> list[dict[str, Any]]:
    """Return the bodies of what waits, events last."""
    streams = (outbox.rows("changes", 0, 1_000), outbox.rows("events", 0, 1_000))
    return [json.loads(row.body) for stream in streams for row in stream.rows]
