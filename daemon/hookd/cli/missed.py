"""The home of what `hookd status` says of events that no daemon judged."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hookd.cli import since
from hookd.cli.client import call
from hookd.cli.local_time import local
from hookd.cli.problem import Problem
from hookd.core.unjudged import DAYS, FULL, Missed, parse, sentence
from hookd.files import spool as files


def kept(now: str | None) -> dict[str, Any] | None:
    """Return what the daemon knows of the last days, or None: nothing, or it is an older one."""
    try:
        asked = {"since": since.moment(f"{DAYS}d", now)} if now else {}
        rows = call("daemon.unjudged", asked).get("unjudged", [])
    except Problem:
        return None
    return _summed([_missed(row) for row in rows])


def waiting(spool: Path) -> dict[str, Any] | None:
    """Return what shims have left for the next daemon, or None."""
    if not files.waits(spool):
        return None
    try:
        lines = files.read(spool, 0)
        changed = datetime.fromtimestamp(spool.stat().st_mtime, UTC)
    except OSError:
        return None
    at = changed.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return _summed(parse(lines.decode("ascii", "replace"), at, full=len(lines) >= FULL))


def _missed(row: dict[str, Any]) -> Missed:
    more = bool(row["more"])
    return Missed(row["event"], row["reason"], row["count"], row["firstAt"], row["lastAt"], more)


def _summed(missed: Sequence[Missed]) -> dict[str, Any] | None:
    if not missed:
        return None
    last = max(missed, key=lambda one: one.last)
    return {
        "count": sum(one.count for one in missed),
        "atLeast": any(one.more for one in missed),
        "first": min(one.first for one in missed),
        "last": last.last,
        "reason": last.reason,
        "text": sentence(missed, local),
    }
