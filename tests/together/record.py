"""Record of a run of agents that share a repository: what their models did and saw, what is stored.

The models' record is written by the script that plays them, from the text of their requests and
nothing else. `Stored` is what hookd's database and the files have at the end.
"""

import re
import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

LINE = re.compile(r"^- (\S+)$", re.MULTILINE)


@dataclass(frozen=True)
class Sent:
    """A mail that a model has sent; `number` is None if the command had no answer."""

    sender: str
    token: str
    to: str
    number: int | None


@dataclass(frozen=True)
class Arrival:
    """A frame of a mail in the context of a model."""

    recipient: str
    number: int
    token: str
    at: float


@dataclass(frozen=True)
class Line:
    """A line that a model wanted to add to a ledger; `seen`: it has read it there afterwards."""

    agent: str
    ledger: str
    token: str
    seen: bool


@dataclass(frozen=True)
class Held:
    """The time in which a model knew that it held the claim of a ledger."""

    agent: str
    ledger: str
    since: float
    until: float


@dataclass(frozen=True)
class Act:
    """What a model did with a work item: took, done, back, or a refusal of these."""

    agent: str
    number: int
    act: str


@dataclass
class Record:
    """What the models did and saw."""

    agents: tuple[str, ...] = ()
    sent: list[Sent] = field(default_factory=list)
    arrivals: list[Arrival] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    held: list[Held] = field(default_factory=list)
    acts: list[Act] = field(default_factory=list)
    kills: list[float] = field(default_factory=list)
    turns: dict[str, int] = field(default_factory=dict)
    strange: list[str] = field(default_factory=list)
    """Answers of commands that no agent expects."""
    cut: int = 0
    """Commands whose output the client has lost."""

    def recipients(self, one: Sent) -> tuple[str, ...]:
        """Return whom a mail is for: all sessions are open from the first mail to the last."""
        if one.to != "@all":
            return (one.to,)
        return tuple(name for name in self.agents if name != one.sender)


@dataclass(frozen=True)
class StoredMail:
    """A row of `mail_overview`."""

    number: int
    sender: str
    text: str
    state: str


@dataclass(frozen=True)
class Delivery:
    """A row of `injections` with a mail, made at `created` (seconds).

    `offers` counts the answers that it went out with.
    """

    number: int
    recipient: str
    offers: int
    delivered: bool
    created: float


@dataclass(frozen=True)
class StoredItem:
    """A row of `work_items`."""

    number: int
    state: str
    owner: str


@dataclass
class Stored:
    """Content of the database and of the files at the end."""

    mails: list[StoredMail] = field(default_factory=list)
    deliveries: list[Delivery] = field(default_factory=list)
    items: list[StoredItem] = field(default_factory=list)
    ledgers: dict[str, list[str]] = field(default_factory=dict)
    open_claims: list[str] = field(default_factory=list)
    denied: dict[str, int] = field(default_factory=dict)


def stored(database: Path, ledgers: Sequence[Path]) -> Stored:
    """Read the database and the files."""
    address = f"file:{database}?mode=ro"
    with closing(sqlite3.connect(address, uri=True, timeout=10)) as db:
        mails = db.execute("SELECT id, sender, text, state FROM mail_overview ORDER BY id")
        deliveries = db.execute(
            "SELECT i.mail_id, s.owner, i.offers, i.delivered_at IS NOT NULL, i.created_at"
            " FROM injections i JOIN sessions s ON s.id = i.session_id"
            " WHERE i.mail_id IS NOT NULL ORDER BY i.id"
        )
        items = db.execute("SELECT id, state, coalesce(agent, '') FROM work_items ORDER BY id")
        claims = db.execute(
            "SELECT agent || ' ' || pattern FROM claims WHERE released_at IS NULL AND NOT automatic"
        )
        denied = db.execute(
            "SELECT decided_by || ' ' || decision, count(*) FROM events"
            " WHERE decision IN ('deny', 'ask') GROUP BY 1 ORDER BY 1"
        )
        return Stored(
            [StoredMail(*row) for row in mails],
            [
                Delivery(
                    *row,
                    delivered=bool(delivered),
                    created=datetime.fromisoformat(created).timestamp(),
                )
                for *row, delivered, created in deliveries
            ],
            [StoredItem(*row) for row in items],
            {ledger(file): LINE.findall(file.read_text("utf-8")) for file in ledgers},
            [claim for (claim,) in claims],
            dict(denied.fetchall()),
        )


def ledger(file: Path) -> str:
    """Return the name of a ledger's copy: its worktree and file."""
    return f"{file.parent.name}/{file.name}"


def now() -> float:
    """Return the time of a record."""
    return time.time()
