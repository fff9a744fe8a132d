"""Drop the rows that the central store refused, and forget how many events were dropped."""

from hookd.core.fleet.membership import member
from hookd.core.model.effects.fleet import DropRejected
from hookd.core.model.facts import Facts
from hookd.core.model.identity import daemon_only
from hookd.core.model.method import Change, ChangeMethod, Example, Wire


class Params(Wire):
    """No parameters."""


class Result(Wire):
    """The fleet that the rows were for."""

    tenant: str


def decide(_params: Params, facts: Facts) -> Change:
    """Drop them. NOT_JOINED."""
    return Change(Result(tenant=member(facts).tenant), (DropRejected(),))


METHOD = ChangeMethod(
    "fleet.drop",
    Params,
    Result,
    daemon_only,
    decide,
    (Example({}, says="NOT_JOINED"),),
    person=True,
)
