"""Remove the allow rules of an event's call: guards block it again."""

from hookd.core.model.effects.messages import RemoveAllowances
from hookd.core.model.errors import DomainError
from hookd.core.model.fact_requests import AllowancesOfEvent
from hookd.core.model.facts import Facts
from hookd.core.model.identity import daemon_only
from hookd.core.model.method import Change, ChangeMethod, Example, RowId, Wire


class Params(Wire):
    """`eventId` is the event on which the call was allowed."""

    event_id: RowId


class Result(Wire):
    """The guards that block the call again."""

    guards: list[str]


def decide(params: Params, facts: Facts) -> Change:
    """Remove the rules. NOT_FOUND if there are none."""
    rules = facts.require(AllowancesOfEvent(params.event_id))
    if not rules:
        raise DomainError("NOT_FOUND", f"there is no allow rule of event {params.event_id}")
    result = Result(guards=[one.guard for one in rules])
    return Change(result, (RemoveAllowances(params.event_id),))


METHOD = ChangeMethod(
    "allowances.remove",
    Params,
    Result,
    daemon_only,
    decide,
    (Example({"eventId": 4711}, says="NOT_FOUND"),),
)
