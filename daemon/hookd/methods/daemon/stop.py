"""End the daemon: it answers this, finishes what is in flight and unlinks its own socket."""

from hookd.core.model.effects.after_commit import StopDaemon
from hookd.core.model.facts import Facts
from hookd.core.model.identity import daemon_only
from hookd.core.model.method import Change, ChangeMethod, Example, Wire


class Params(Wire):
    """Nothing is asked for."""


class Result(Wire):
    """The process that ends."""

    pid: int


def decide(_params: Params, facts: Facts) -> Change:
    """Stop after the answer."""
    return Change(Result(pid=facts.daemon.pid), (StopDaemon(),))


METHOD = ChangeMethod(
    "daemon.stop", Params, Result, daemon_only, decide, (Example({}),), person=True
)
