"""Drop rows of the outbox that the central store has: the sync process calls it after each batch.

Refused rows stay, with their reason.
"""

from pydantic import Field

from hookd.core.fleet.membership import member
from hookd.core.model.effects.fleet import DropShipped
from hookd.core.model.facts import Facts
from hookd.core.model.identity import daemon_only
from hookd.core.model.method import Change, ChangeMethod, Example, Wire


class Params(Wire):
    """`through` is the number of the last row that was sent, `epoch` its sequence."""

    epoch: str
    through: int = Field(ge=0)


class Result(Wire):
    """Whether the rows were dropped: not if the membership has another epoch by now."""

    current: bool


def decide(params: Params, facts: Facts) -> Change:
    """Drop the rows. NOT_JOINED."""
    if member(facts).epoch != params.epoch:
        return Change(Result(current=False))
    return Change(Result(current=True), (DropShipped(params.through),))


METHOD = ChangeMethod(
    "fleet.shipped",
    Params,
    Result,
    daemon_only,
    decide,
    (Example({"epoch": "0190c2a4-5f3e-7cc1-9a57-3d1f0e2b4a55", "through": 0}, says="NOT_JOINED"),),
    person=True,
)
