"""The home of whether a person has paused hookd, so that nothing is guarded for a while."""

from collections.abc import Iterator

from hookd.cli.doctor.checks.result import Finding, State, found, warn
from hookd.cli.doctor.checks.timeouts import ask
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.output import local_time

_CHECK = "pause"


def check_pause() -> Iterator[Finding]:
    """Tell of a pause; where there is none, nothing is to be told."""
    try:
        until = ask("daemon.status").get("pausedUntil")
    except Problem as problem:
        yield found(_CHECK, State.WARN, problem)
        return
    if until:
        what = f"hookd is paused until {local_time(until)}:"
        yield warn(_CHECK, f"{what} no guard holds, in any session.", "hookd resume")
