"""Report how sending to the central store goes: the sync process calls it at least every minute.

`hookd status`, `hookd doctor` and the status line show it, and that the reports end.
"""

from pydantic import Field

from hookd.core.fleet.membership import member
from hookd.core.model.effects.fleet import NoteContact
from hookd.core.model.facts import Facts
from hookd.core.model.identity import daemon_only
from hookd.core.model.method import Change, ChangeMethod, Example, Wire


class Params(Wire):
    """`contact`: the central store answered. `problem` and `next` say why not, and the remedy.

    `clockMs` is how far this host's clock is ahead of the central store's.
    """

    contact: bool
    problem: str | None = Field(None, max_length=1_000)
    next: str | None = Field(None, max_length=1_000)
    clock_ms: int | None = None


class Result(Wire):
    """The epoch of the outbox, and whether the host is leaving the fleet."""

    epoch: str
    leaving: bool


def decide(params: Params, facts: Facts) -> Change:
    """Store the report. NOT_JOINED."""
    known = member(facts)
    effect = NoteContact(params.contact, params.problem, params.next, params.clock_ms)
    return Change(Result(epoch=known.epoch, leaving=known.leaving), (effect,))


METHOD = ChangeMethod(
    "fleet.synced",
    Params,
    Result,
    daemon_only,
    decide,
    (Example({"contact": True}, says="NOT_JOINED"),),
    person=True,
)
