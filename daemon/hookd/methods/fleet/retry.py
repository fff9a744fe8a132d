"""Let the rows wait again that the central store refused, behind all others."""

from hookd.core.fleet.membership import member
from hookd.core.model.effects.fleet import RetryRejected
from hookd.core.model.facts import Facts
from hookd.core.model.identity import daemon_only
from hookd.core.model.method import Change, ChangeMethod, Example, Wire


class Params(Wire):
    """No parameters."""


class Result(Wire):
    """The fleet that the rows wait for."""

    tenant: str


def decide(_params: Params, facts: Facts) -> Change:
    """Let them wait. NOT_JOINED."""
    return Change(Result(tenant=member(facts).tenant), (RetryRejected(),))


METHOD = ChangeMethod(
    "fleet.retry",
    Params,
    Result,
    daemon_only,
    decide,
    (Example({}, says="NOT_JOINED"),),
    person=True,
)
