"""Saved handovers: the one of a session, or the newest of the current project."""

from typing import Any

from hookd.cli.lib import args
from hookd.cli.lib.client import call
from hookd.cli.lib.errors import Problem

_LIMIT = 50


def find(number: int | None, *, waiting: bool = False) -> dict[str, Any]:
    """Return the handover of session `number`, None: the newest of the current project.

    With `waiting` the newest that no session has received comes before all others. Raise Problem
    if there is none.
    """
    wanted = (
        [{"sessionId": number}] if number else [{"project": root} for root in args.project_roots()]
    )
    for which in wanted:
        found = call("handover.list", {**which, "limit": _LIMIT if waiting else 1})["handovers"]
        left = [one for one in found if one["handoverDeliveredAt"] is None] if waiting else []
        if found:
            one: dict[str, Any] = (left or found)[0]
            return one
    place = f"of session {number}" if number else "in this project"
    raise Problem(f"There is no handover {place}.", "hookd handover list")
