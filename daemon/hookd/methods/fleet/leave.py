"""Leave the fleet: nothing more is sent, and what waits is dropped.

With `announce` the rows stay, and one more says that the host left; the sync process sends them.
A second call without it ends the membership. ROWS_WAIT if rows would be lost without `drop`.
"""

from hookd.core.fleet.membership import leave
from hookd.core.model.facts import Facts
from hookd.core.model.identity import daemon_only
from hookd.core.model.method import Change, ChangeMethod, Example, Wire


class Params(Wire):
    """`drop` gives up the rows that wait."""

    announce: bool = False
    drop: bool = False


class Result(Wire):
    """How many rows were dropped."""

    dropped: int


def decide(params: Params, facts: Facts) -> Change:
    """Leave. NOT_JOINED, ROWS_WAIT."""
    effect, dropped = leave(facts, announce=params.announce, drop=params.drop)
    return Change(Result(dropped=dropped), (effect,))


METHOD = ChangeMethod(
    "fleet.leave",
    Params,
    Result,
    daemon_only,
    decide,
    (Example({"announce": True}, says="NOT_JOINED"),),
    person=True,
)
