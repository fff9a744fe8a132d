"""Note what the central store has, and drop it from the outbox: the sync process calls it.

Refused rows stay, with their reason.
"""

from pydantic import Field

from hookd.core.fleet.membership import member
from hookd.core.model.effects.fleet import DropShipped
from hookd.core.model.facts import Facts
from hookd.core.model.identity import daemon_only
from hookd.core.model.method import Change, ChangeMethod, Example, Wire


class Params(Wire):
    """Numbers in an epoch: `through` of the last row that was sent, `events` of the last event."""

    epoch: str
    through: int = Field(ge=0)
    events: int = Field(0, ge=0)


class Result(Wire):
    """Whether that was noted: not if the membership has another epoch by now."""

    current: bool


def decide(params: Params, facts: Facts) -> Change:
    """Note it. NOT_JOINED."""
    if member(facts).epoch != params.epoch:
        return Change(Result(current=False))
    return Change(Result(current=True), (DropShipped(params.through, params.events),))


METHOD = ChangeMethod(
    "fleet.shipped",
    Params,
    Result,
    daemon_only,
    decide,
    (
        Example(
            {"epoch": "0190c2a4-5f3e-7cc1-9a57-3d1f0e2b4a55", "through": 0, "events": 0},
            says="NOT_JOINED",
        ),
    ),
    person=True,
)
