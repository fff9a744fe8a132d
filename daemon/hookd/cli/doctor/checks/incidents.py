"""Incidents check: failures of policies and effects, and reached limits, since the start."""

from collections.abc import Iterator, Mapping
from typing import Any

from hookd.cli.doctor.checks.result import Finding, fail, warn
from hookd.cli.doctor.checks.timeouts import ask
from hookd.cli.lib import output
from hookd.cli.lib.errors import Problem

_LOG = "hookd daemon logs -n 50 has details"
_STEPS = {
    "policy failed": _LOG,
    "policy over time": f"{_LOG}; limits.policy_ms of the settings is the limit",
    "effect failed": _LOG,
    "limit reached": _LOG,
    "refused to a client": f"an agent tried what only a person may do; {_LOG}",
}


def check_incidents() -> Iterator[Finding]:
    """Report suspended policies and incidents; nothing if there are none."""
    try:
        status = ask("daemon.status")
    except Problem:
        return  # check_versions has reported it
    suspended = status.get("suspended") or ()
    for name in suspended:
        what = (
            f"The policy {output.cell(name)} is suspended: it exceeded its time limit repeatedly."
        )
        yield fail("policies", what, f"hookd restart turns it on again; {_LOG}")
    for one in status.get("incidents") or ():
        check = _CHECKS.get(one["kind"], "policies")
        yield warn(check, f"{sentence(one)}.", _STEPS.get(one["kind"], _LOG))


def sentence(one: Mapping[str, Any]) -> str:
    """Return an incident in words: its kind, count, last time and text."""
    name, text = output.cell(one["name"]), output.cell(one["text"])
    times = "once" if one["count"] == 1 else f"{one['count']} times"
    what = _WORDS.get(one["kind"], one["kind"]).format(name)
    return f"{what} {times}, last {output.text(one['at'])}: {text}"


_CHECKS = {"limit reached": "limits", "refused to a client": "refused requests"}
_WORDS = {
    "policy failed": "The policy {} failed",
    "policy over time": "The policy {} exceeded its time limit",
    "effect failed": "The effect {} failed",
    "limit reached": "The limit of {} was reached",
    "refused to a client": "{} was refused to an agent",
}
