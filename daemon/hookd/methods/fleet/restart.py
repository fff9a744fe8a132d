"""Begin another epoch of the outbox: the central store has rows that this database does not know.

So it is after an older copy of the database was put back. Rows that wait get higher numbers, but
for those that the central store has; nothing is sent twice, and nothing is lost.
"""

from uuid import UUID

from pydantic import Field

from hookd.core.fleet.membership import member
from hookd.core.model.effects.fleet import RestartOutbox
from hookd.core.model.facts import Facts
from hookd.core.model.identity import daemon_only
from hookd.core.model.method import Change, ChangeMethod, Example, RowId, Wire


class Params(Wire):
    """`above` and `events` are the last row and event that the central store has.

    `known` are rows of the outbox that it has.
    """

    epoch: UUID
    above: int = Field(ge=0)
    events: int = Field(0, ge=0)
    known: tuple[RowId, ...] = ()


class Result(Wire):
    """The epoch."""

    epoch: str


def decide(params: Params, facts: Facts) -> Change:
    """Begin the epoch. NOT_JOINED."""
    member(facts)
    epoch = str(params.epoch)
    effect = RestartOutbox(epoch, params.above, params.known, params.events)
    return Change(Result(epoch=epoch), (effect,))


METHOD = ChangeMethod(
    "fleet.restart",
    Params,
    Result,
    daemon_only,
    decide,
    (
        Example(
            {"epoch": "0190c2a4-5f3e-7cc1-9a57-3d1f0e2b4a55", "above": 4_711}, says="NOT_JOINED"
        ),
    ),
    person=True,
)
