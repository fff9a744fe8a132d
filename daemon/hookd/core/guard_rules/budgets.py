"""Budgets: how often the limits of a guard rule are reached, and which the user has granted.

A rule that asks or tells does so once each time a budget is reached again: at 5, 10, 15 dollars for
a budget of 5. A rule that denies does so from the first time on. A grant ends with the day.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from hookd.core.guard_rules.conditions import Budget
from hookd.core.model.effects.sessions import Remember
from hookd.core.model.fact_requests import Spending
from hookd.core.model.facts import Facts

if TYPE_CHECKING:
    from hookd.core.guard_rules.rule import Rule

STATE = "budgets"
"""Key of a session's state: the day, what was granted, and the call that was asked about."""

ONCE = frozenset({"ask", "allow"})
"""Urgencies with which a rule fires once each time a budget is reached."""


def reached(budget: Budget, facts: Facts) -> int:
    """Return how often the most exceeded limit is reached, 0 below all. Raise MissingFacts."""
    session = facts.session
    if session is None:
        return 0
    owner = facts.identity.agent or session.owner
    spent = facts.require(Spending(session.claude_session_id, owner, facts.at[:10]))
    if spent is None:
        return 0
    costs = {"session": spent.session, "agent": spent.agent, "day": spent.day}
    return max(int(costs[name] / limit) for name, limit in budget.limits.items())


def is_granted(rule_id: str, times: int, facts: Facts) -> bool:
    """Return whether the user has granted a budget of a rule so many times today."""
    known = _part(_state(facts), "granted").get(rule_id, 0)
    return isinstance(known, int) and times <= known


def asked(rules: Iterable["Rule"], call_id: str | None, facts: Facts) -> tuple[Remember, ...]:
    """Return the effect that records which budgets a call has reached."""
    limited = [(rule, rule.budget) for rule in rules if rule.budget and rule.urgency in ONCE]
    if not limited or facts.session is None:
        return ()
    state = _state(facts)
    granted = dict(_part(state, "granted"))
    levels: dict[str, int] = {}
    for rule, budget in limited:
        (granted if rule.urgency == "allow" else levels)[rule.id] = reached(budget, facts)
    value = {"day": facts.at[:10], "granted": granted, "call": call_id, "levels": levels}
    return (Remember(facts.session.id, STATE, value, lasts=True),)


def granted(call_id: str | None, facts: Facts) -> tuple[Remember, ...]:
    """Return the effect of a call that has run: the user granted what it was asked about."""
    if STATE not in facts.policy_state or facts.session is None:
        return ()
    state = _state(facts)
    levels = _part(state, "levels")
    if not levels or state.get("call") != call_id:
        return ()
    value = {"day": facts.at[:10], "granted": {**_part(state, "granted"), **levels}}
    return (Remember(facts.session.id, STATE, value, lasts=True),)


def _state(facts: Facts) -> Mapping[str, Any]:
    """Return today's state; a grant of another day does not count."""
    value = facts.policy_state.get(STATE)
    return value if isinstance(value, dict) and value.get("day") == facts.at[:10] else {}


def _part(state: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = state.get(key)
    return value if isinstance(value, dict) else {}
