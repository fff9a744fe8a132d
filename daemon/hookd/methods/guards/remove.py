"""Remove a guard rule, by its name and scope, or by its number."""

from typing import Literal

from hookd.core.model.effects.messages import RemoveGuard
from hookd.core.model.errors import DomainError
from hookd.core.model.facts import Facts
from hookd.core.model.identity import own_or_named_effort
from hookd.core.model.method import Change, ChangeMethod, Example, RowId, Wire


class Params(Wire):
    """`ruleId` is the rule's name."""

    rule_id: str
    scope: Literal["user", "project", "effort"] = "user"
    effort_id: RowId | None = None


class Result(Wire):
    """The rule that was removed."""

    rule_id: str
    scope: str


def decide(params: Params, facts: Facts) -> Change:
    """Remove the rule. NOT_FOUND if there is none here, or a file or a fleet has set it."""
    own = facts.project.id if facts.project and params.scope == "project" else None
    source = None
    for guard in facts.guards:
        # The rule of a root further up applies here as well, but it is removed there.
        if (guard.rule_id, guard.scope, guard.project_id) == (params.rule_id, params.scope, own):
            if guard.layer is None:
                result = Result(rule_id=guard.rule_id, scope=guard.scope)
                return Change(result, (RemoveGuard(guard.id),))
            source = guard.source
    if source is not None:
        sentence = f"guard {params.rule_id!r} is a rule of {source}, and is removed there"
        raise DomainError("NOT_FOUND", sentence)
    raise DomainError("NOT_FOUND", f"no {params.scope} guard is called {params.rule_id!r} here")


METHOD = ChangeMethod(
    "guards.remove",
    Params,
    Result,
    own_or_named_effort,
    decide,
    (Example({"ruleId": "x"}, says="NOT_FOUND"),),
    person=True,
)
