"""Let the daemon look after what it looks after once a minute, at once.

Windows are ended whose process is gone, or from which nothing was heard for longer than the setting
`sessions.idle_minutes` says; events, messages and texts are deleted that are older than
`retention.days`.
"""

from hookd.core.model.effects.after_commit import RunMaintenance
from hookd.core.model.facts import Facts
from hookd.core.model.identity import daemon_only
from hookd.core.model.method import Change, ChangeMethod, Example, Wire


class Params(Wire):
    """Nothing is asked for."""


class Result(Wire):
    """It has begun; it is done a moment later."""

    begun: bool


def decide(_params: Params, _facts: Facts) -> Change:
    """Begin."""
    return Change(Result(begun=True), (RunMaintenance(),))


METHOD = ChangeMethod("daemon.sweep", Params, Result, daemon_only, decide, (Example({}),))
