"""Finding of a check: a state, a sentence, and the next step if one is needed."""

from collections.abc import Mapping
from enum import StrEnum

from hookd.cli.lib.client import Refused
from hookd.cli.lib.errors import Problem
from hookd.lazy_dataclass import dataclass

_NO_METHOD = "-32601"
"""Error code of an unknown method."""


class State(StrEnum):
    """Severity of a finding: `fail` means that hookd does not guard as it should."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True)
class Finding:
    """Finding of one check; `data` are its figures, for JSON."""

    check: str
    state: State
    what: str
    next: str | None = None
    data: Mapping[str, str | float] | None = None


def ok(check: str, what: str) -> Finding:
    """Return a finding without a problem."""
    return Finding(check, State.OK, what)


def warn(check: str, what: str, step: str) -> Finding:
    """Return a problem with which hookd still guards."""
    return Finding(check, State.WARN, what, step)


def fail(check: str, what: str, step: str) -> Finding:
    """Return a problem with which hookd does not guard as it should."""
    return Finding(check, State.FAIL, what, step)


def found(check: str, state: State, problem: Problem) -> Finding:
    """Return a problem as a finding."""
    step = problem.step or "hookd daemon logs -n 20"
    if isinstance(problem, Refused) and problem.code == _NO_METHOD:
        step = "hookd restart, since the daemon is older than this command"
    return Finding(check, state, problem.message, step)
