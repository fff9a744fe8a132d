"""Stop the daemon: it answers, finishes the requests in flight and unlinks its socket."""

from hookd.core.model.effects.after_commit import StopDaemon
from hookd.core.model.facts import Facts
from hookd.core.model.identity import daemon_only
from hookd.core.model.method import Change, ChangeMethod, Example, Wire


class Params(Wire):
    """No parameters."""


class Result(Wire):
    """The process that ends."""

    pid: int


def decide(_params: Params, facts: Facts) -> Change:
    """Stop after the answer."""
    return Change(Result(pid=facts.daemon.pid), (StopDaemon(),))


METHOD = ChangeMethod(
    "daemon.stop", Params, Result, daemon_only, decide, (Example({}),), person=True
)
