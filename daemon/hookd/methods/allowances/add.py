"""Allow the call of an event to pass the guards that blocked it: exactly this call, for this user.

With the scope `project` it is the same call in any folder of the event's project, and in no other
one. Only a person may do this, as with all that weakens a guard. A denial by a guard rule or a user
hook is not lifted; `others` names these. With `preview` nothing is changed.
"""

from pydantic import AwareDatetime

from hookd.core.evaluation.allow_call import Scope, rules_for_event
from hookd.core.model.facts import Facts
from hookd.core.model.identity import daemon_only
from hookd.core.model.method import Change, ChangeMethod, Example, RowId, Wire


class Params(Wire):
    """`until` is when the rule expires; without it, the rule lasts until it is removed.

    `scope` is `call`, for the event's folder, or `project`, for all folders of its project.
    """

    event_id: RowId
    scope: Scope = "call"
    until: AwareDatetime | None = None
    preview: bool = False


class AllowedCall(Wire):
    """A call, and the guard that it may pass.

    `folder` is null if it does not matter, and ends in `/**` for a project.
    """

    guard: str
    tool: str
    text: str
    folder: str | None


class Result(Wire):
    """The allowed calls, their expiry, and what else blocks the event's call."""

    calls: list[AllowedCall]
    until: str | None
    others: list[str]


def decide(params: Params, facts: Facts) -> Change:
    """Add the allow rules. NOT_FOUND without such an event; NOT_ALLOWABLE, INVALID_TIME."""
    new = rules_for_event(params.event_id, params.scope, params.until, facts)
    calls = [
        AllowedCall(guard=one.guard, tool=one.tool, text=one.text, folder=one.folder or None)
        for one in new.rules
    ]
    result = Result(calls=calls, until=new.until, others=list(new.others))
    return Change(result, () if params.preview else new.rules)


METHOD = ChangeMethod(
    "allowances.add",
    Params,
    Result,
    daemon_only,
    decide,
    (
        Example({"eventId": 4711}, says="NOT_FOUND"),
        Example({"eventId": 4711, "until": "2026-01-31T09:00:00Z", "preview": True}, "NOT_FOUND"),
    ),
    person=True,
)
