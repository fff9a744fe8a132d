"""Set a guard rule for the user, for a project or for an effort; the same name replaces it.

A new rule only adds restrictions, so any caller may set one. Replacing a rule is for a person, and
so is a rule that softens the guards, or whose whitelist permits what another rule blocks.
"""

from typing import Any, Literal

from hookd.core.guard_rules.dead_rules import validate_rule, warnings, without_secrets
from hookd.core.guard_rules.rule import parse_rule
from hookd.core.model.effects.messages import AddGuard
from hookd.core.model.effects.union import Effect
from hookd.core.model.errors import DomainError
from hookd.core.model.facts import Facts, Guard
from hookd.core.model.identity import own_or_named_effort
from hookd.core.model.method import Change, ChangeMethod, Example, RowId, Wire
from hookd.core.sessions.open_session import project_of


class Params(Wire):
    """`rule` is a guard rule; `effortId` only counts with scope effort."""

    rule: dict[str, Any]
    scope: Literal["user", "project", "effort"] = "user"
    effort_id: RowId | None = None


class Result(Wire):
    """The rule as it is stored; `replaced` if it took the place of one with the same name.

    `warnings` are sentences about tool names that Claude Code does not have.
    """

    id: int
    rule_id: str
    scope: str
    replaced: bool
    warnings: list[str] = []


def decide(params: Params, facts: Facts) -> Change:
    """Validate the rule; INVALID_RULE names the field, NO_ACTIVE_EFFORT the missing effort.

    A rule that can never match is refused as INVALID_RULE, too, and one whose pattern contains a
    secret. Secrets are removed from its texts.
    """
    rule = without_secrets(validate_rule(params.rule))
    effects: tuple[Effect, ...] = ()
    project = effort = None
    if params.scope == "project":
        project, effects = project_of(facts, facts.identity.cwd)
        if project is None:
            raise DomainError("NOT_FOUND", "there is no project here")
    if params.scope == "effort":
        effort = facts.effort
        if effort is None and params.effort_id is not None:
            raise DomainError("NOT_FOUND", f"there is no effort {params.effort_id}")
        if effort is None or not effort.active:
            raise DomainError("NO_ACTIVE_EFFORT", "no effort is active here")
    guard = AddGuard(
        facts.next.guard,
        rule.id,
        params.scope,
        project.id if project else None,
        effort.id if effort else None,
        rule.model_dump_json(by_alias=True, exclude_none=True),
    )
    place = (guard.rule_id, guard.scope, guard.project_id)
    replaced = any((old.rule_id, old.scope, old.project_id) == place for old in facts.guards)
    result = Result(
        id=guard.id,
        rule_id=rule.id,
        scope=guard.scope,
        replaced=replaced,
        warnings=list(warnings(rule)),
    )
    return Change(result, (*effects, guard))


def weakens(params: Params, facts: Facts) -> bool:
    """Return whether the rule replaces another one, or permits what another or a guard blocks."""
    change = decide(params, facts)
    new = next(effect for effect in change.effects if isinstance(effect, AddGuard))
    place = (new.rule_id, new.scope, new.project_id)
    old = [one for one in facts.guards if (one.rule_id, one.scope, one.project_id) == place]
    rule = parse_rule(new.rule)
    opens = rule.blocks_all_calls and rule.whitelist and any(map(_closes, facts.guards))
    return bool(opens or rule.softens) or any(one.rule != new.rule for one in old)


def _closes(guard: Guard) -> bool:
    try:
        return parse_rule(guard.rule).blocks_all_calls
    except ValueError:
        return False


METHOD = ChangeMethod(
    "guards.add",
    Params,
    Result,
    own_or_named_effort,
    decide,
    (
        Example(
            {
                "rule": {
                    "id": "no-rm-rf",
                    "toolFilter": {"include": ["Bash(rm -rf *)"]},
                    "payload": {"text": "Move it to the trash."},
                    "urgency": "block",
                }
            },
            says="no-rm-rf",
        ),
    ),
    person=weakens,
)
