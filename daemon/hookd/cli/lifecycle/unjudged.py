"""What `hookd status` shows of events that no daemon judged."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hookd.cli.lib import args
from hookd.cli.lib.client import call
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.output import local_time
from hookd.core.evaluation.unjudged import (
    MAX_FILE_BYTES,
    REPORT_DAYS,
    Missed,
    judged_summary,
    missed_summary,
    parse,
    split,
    warnings,
)
from hookd.system import unjudged_spool

Told = dict[str, dict[str, Any] | None]
"""By key of the status: `unjudged`, `withoutDaemon` for those judged without it, `hooksWarn`."""


def kept(now: str | None) -> Told:
    """Return what the daemon knows of the last days; an older one knows nothing."""
    try:
        asked = {"since": args.timestamp(f"{REPORT_DAYS}d", now)} if now else {}
        rows = call("daemon.unjudged", asked).get("unjudged", [])
    except Problem:
        rows = []
    return _told([_missed(row) for row in rows])


def waiting(spool: Path) -> Told:
    """Return what shims have left for the next daemon."""
    if not unjudged_spool.waits(spool):
        return _told(())
    try:
        lines = unjudged_spool.read(spool, 0)
        changed = datetime.fromtimestamp(spool.stat().st_mtime, UTC)
    except OSError:
        return _told(())
    at = changed.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return _told(parse(lines.decode("ascii", "replace"), at, full=len(lines) >= MAX_FILE_BYTES))


def _missed(row: dict[str, Any]) -> Missed:
    more = bool(row["more"])
    return Missed(row["event"], row["reason"], row["count"], row["firstAt"], row["lastAt"], more)


def _told(missed: Sequence[Missed]) -> Told:
    lost, judged = split(missed)
    warned = [one for one in missed if one.warned]
    return {
        "unjudged": _summed(lost, missed_summary(lost, local_time)) if lost else None,
        "withoutDaemon": _summed(judged, judged_summary(judged, local_time)) if judged else None,
        "hooksWarn": _summed(warned, warnings(warned)) if warned else None,
    }


def _summed(missed: Sequence[Missed], text: str) -> dict[str, Any]:
    last = max(missed, key=lambda one: one.last)
    return {
        "count": sum(one.count for one in missed),
        "atLeast": any(one.more for one in missed),
        "first": min(one.first for one in missed),
        "last": last.last,
        "reason": last.reason,
        "text": text,
    }
