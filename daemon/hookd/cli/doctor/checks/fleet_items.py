"""Fleet items check: items of a fleet that this host refused in the last day."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from hookd.cli.doctor.checks.result import Finding, warn
from hookd.cli.doctor.checks.timeouts import ask
from hookd.cli.lib import output
from hookd.cli.lib.errors import Problem

_DAY = timedelta(days=1)
_MOST = 200


def check_fleet_items() -> Iterator[Finding]:
    """Report refused items; nothing if there are none."""
    try:
        rows = ask("fleet.items", {"outcome": "refused", "limit": _MOST})["items"]
        now = datetime.fromisoformat(ask("daemon.status")["now"])
    except Problem:
        return  # check_versions has reported it
    recent = [row for row in rows if now - datetime.fromisoformat(row["at"]) < _DAY]
    if not recent:
        return
    count = "An item" if len(recent) == 1 else f"{len(recent)} items"
    sender = output.cell(recent[0]["sender"] or "the fleet")
    why = output.cell(recent[0]["reason"])
    what = f"{count} of the fleet {'was' if len(recent) == 1 else 'were'} refused in the last day"
    yield warn("fleet", f"{what}, the last from {sender}: {why}.", "hookd fleet items lists them")
