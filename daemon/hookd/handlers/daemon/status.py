"""Tell how the daemon is: its process, version and places. It answers through the database."""

from hookd.core.facts import Facts
from hookd.core.identity import nothing_special
from hookd.core.method import Change, ChangeMethod, Example, Wire
from hookd.core.pausing import paused
from hookd.core.wants import Canaries


class Params(Wire):
    """Nothing is asked for."""


class Result(Wire):
    """`events` is the number of events ever recorded. Times are UTC; `now` is the answer's own.

    `pausedUntil` is when hooks are judged again, null where they are; `problem` says why the user's
    settings do not hold, where they cannot be used.
    """

    pid: int
    version: str
    started_at: str
    now: str
    socket: str
    database: str
    log: str
    settings: str
    events: int
    paused_until: str | None
    problem: str | None


def decide(_params: Params, facts: Facts) -> Change:
    """Report."""
    daemon = facts.daemon
    return Change(
        Result(
            pid=daemon.pid,
            version=daemon.version,
            started_at=daemon.started_at,
            now=facts.at,
            socket=daemon.socket,
            database=daemon.database,
            log=daemon.log,
            settings=daemon.settings,
            paused_until=daemon.paused_until if paused(facts) else None,
            problem=daemon.problem or None,
            events=facts.next.event - 1 - (facts.see(Canaries()) or 0),
        )
    )


METHOD = ChangeMethod("daemon.status", Params, Result, nothing_special, decide, (Example({}),))
