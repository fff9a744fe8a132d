"""Report the daemon's process, version and paths, and whether it can store what it decides.

It answers even if the database can be neither read nor written. Values of the process come from
`_condition` in daemon/app.py, counts of rows from `_counted` in store/reader.py.
"""

from datetime import datetime
from typing import Any

from pydantic import Field

from hookd.core.evaluation.pause import is_active
from hookd.core.model.identity import Identity
from hookd.core.model.method import Condition, Example, ListMethod, Rows, Wire


class Params(Wire):
    """No parameters."""


class Fault(Wire):
    """A fault since the start: its kind and name, its count, when it happened last, its text."""

    kind: str
    name: str
    count: int
    at: str
    text: str


class Latency(Wire):
    """Microseconds that the daemon took for half of the `events`, and for 99 % of them."""

    events: int
    p50_us: int
    p99_us: int


class MailCounts(Wire):
    """Mail that was not delivered yet, that waits for the person to read it, and that is held.

    `unreachable` is how much of the first no open session gets.
    """

    waiting: int
    for_you: int
    held: int
    unreachable: int


class Result(Wire):
    """`events` is the number of events ever recorded. Times are UTC; `now` is that of the answer.

    `python` is the interpreter that runs the daemon. `pausedUntil` is the end of a pause, or null;
    `pausedBy` the fleet that paused this host, or null.
    `problem` says why the user's settings are not used, `unkept` why nothing can be stored; null if
    all is well. `replaced` is the damaged database that was moved aside when this daemon started.
    `incidents` are the faults of policies and of after-commit effects, and the limits that were
    reached, since the start; `suspended` are the policies that exceeded their time too often.
    `latency` is that of the last hour, at most of the last thousand events; null without events.
    `redaction` is what searches for secrets: `Python`, or `google-re2`, which is faster.
    `queues` has how much waits: `writes` for the database, `transcripts`, `notifications`.
    `claims` is the number of open claims, without automatic ones.
    `work` has the number of unfinished work items by state.
    """

    pid: int
    version: str
    python: str
    started_at: str
    now: str
    socket: str
    database: str
    log: str
    settings: str
    events: int
    paused_until: str | None
    paused_by: str | None
    problem: str | None
    unkept: str | None
    replaced: str | None
    incidents: list[Fault]
    suspended: list[str]
    latency: Latency | None
    redaction: str
    queues: dict[str, int] = Field(default_factory=dict)
    claims: int = 0
    mail: MailCounts
    work: dict[str, int] = Field(default_factory=dict)


def select(_params: Params, _identity: Identity) -> Condition:
    """Request the status."""
    return Condition()


def shape(_params: Params, rows: Rows) -> Result:
    """Return the status."""
    known: dict[str, Any] = dict(zip(rows.columns, rows.rows[0], strict=True))
    until, now = str(known["paused_until"] or ""), datetime.fromisoformat(known["now"])
    told = {name: known[name] for name in Result.model_fields}
    told["paused_until"] = until if is_active(until, now) else None
    told["paused_by"] = told["paused_by"] if told["paused_until"] else None
    for name in ("problem", "unkept", "replaced"):
        told[name] = known[name] or None
    return Result(**told)


METHOD = ListMethod("daemon.status", Params, Result, select, shape, (Example({}),))
