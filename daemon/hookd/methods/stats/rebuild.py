"""Count all recorded events again; the counts of events that were deleted stay.

It takes about a minute for a million events, in the background and in steps that delay no answer.
`stats.summary` says how many are left. The counts are current without it: it is for a database
whose counts were changed or damaged.
"""

from hookd.core.model.effects.messages import RecountEvents
from hookd.core.model.facts import Facts
from hookd.core.model.identity import daemon_only
from hookd.core.model.method import Change, ChangeMethod, Example, Wire


class Params(Wire):
    """No parameters."""


class Result(Wire):
    """It has begun, or it had begun before and is not complete yet."""

    begun: bool


def decide(_params: Params, _facts: Facts) -> Change:
    """Request it; the next round of counting begins it."""
    return Change(Result(begun=True), (RecountEvents(),))


METHOD = ChangeMethod("stats.rebuild", Params, Result, daemon_only, decide, (Example({}),))
