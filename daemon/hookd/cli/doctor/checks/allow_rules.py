"""Allow rules check: how many calls the user lets pass a guard."""

from collections.abc import Iterator

from hookd.cli.doctor.checks.result import Finding, State, found, ok
from hookd.cli.doctor.checks.timeouts import ask
from hookd.cli.lib.errors import Problem

_CHECK = "allow"


def check_allowed() -> Iterator[Finding]:
    """Report the allow rules in force; without any, nothing is reported."""
    try:
        count = len(ask("allowances.list")["allowances"])
    except Problem as problem:
        yield found(_CHECK, State.WARN, problem)
        return
    if count:
        rules = "1 allow rule lets a call" if count == 1 else f"{count} allow rules let calls"
        yield ok(_CHECK, f"{rules} pass a guard: hookd allow list.")
