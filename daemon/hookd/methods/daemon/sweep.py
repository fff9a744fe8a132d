"""Start maintenance now, which the daemon otherwise runs once a minute.

It ends windows whose process is gone, or that had no event for longer than the setting
`sessions.idle_minutes`; it deletes events, messages and texts older than `retention.days`.
"""

from hookd.core.model.effects.after_commit import RunMaintenance
from hookd.core.model.facts import Facts
from hookd.core.model.identity import daemon_only
from hookd.core.model.method import Change, ChangeMethod, Example, Wire


class Params(Wire):
    """No parameters."""


class Result(Wire):
    """It has started; it completes a moment later."""

    begun: bool


def decide(_params: Params, _facts: Facts) -> Change:
    """Start maintenance."""
    return Change(Result(begun=True), (RunMaintenance(),))


METHOD = ChangeMethod("daemon.sweep", Params, Result, daemon_only, decide, (Example({}),))
