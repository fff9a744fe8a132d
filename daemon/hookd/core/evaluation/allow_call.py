"""Allow rules for the call of an event: of exactly this call, for the guards that blocked it."""

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Literal

from hookd.core.model.effects.messages import AddAllowance
from hookd.core.model.errors import DomainError
from hookd.core.model.fact_requests import DecisionRecord
from hookd.core.model.facts import Facts, iso
from hookd.lazy_dataclass import dataclass

Scope = Literal["call", "project"]


@dataclass(frozen=True, slots=True)
class NewRules:
    """The allow rules for a call, when they end, and the rules that block it all the same."""

    rules: tuple[AddAllowance, ...]
    until: str | None
    others: tuple[str, ...]


def rules_for_event(number: int, scope: Scope, until: datetime | None, facts: Facts) -> NewRules:
    """Return the allow rules for the call of event `number`.

    Raise DomainError: NOT_FOUND without such an event; NOT_ALLOWABLE, INVALID_TIME.
    """
    said = facts.require(DecisionRecord(number))
    if said is None:
        raise DomainError("NOT_FOUND", f"there is no event {number}")
    if until is not None and until <= facts.now:
        raise DomainError("INVALID_TIME", f"{iso(until)} is over: it is {facts.at}")
    held = list(_held(said))
    if not held:
        raise DomainError("NOT_ALLOWABLE", f"no guard blocked the call of event {number}")
    if scope == "project" and not any(call.get("project_key") for _, call in held):
        raise DomainError("NOT_ALLOWABLE", f"no project of event {number}'s call is recorded")
    ends = iso(until) if until else None
    rules = tuple(_rule(guard, call, scope, number, ends) for guard, call in held if call)
    others = tuple(rule for rule, call in held if not call)
    if not rules:
        who = f"the call of event {number} was blocked by {' and '.join(others)}"
        raise DomainError("NOT_ALLOWABLE", f"{who}, and no allow rule changes that")
    return NewRules(rules, ends, others)


def _rule(
    guard: str, call: Mapping[str, Any], scope: Scope, number: int, until: str | None
) -> AddAllowance:
    """Return the allow rule of a guard for a recorded call."""
    key, folder = call["key"], call.get("folder", "")
    if scope == "project":
        key, folder = call["project_key"], f"{call['project'].rstrip('/')}/**"
    return AddAllowance(guard, key, call["tool"], call["text"], folder, number, until)


def _held(said: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield what blocked a call, with the call if it can be allowed."""
    for one in json.loads(said)["opinions"] if said else ():
        if one.get("verdict") in ("deny", "ask", "defer"):
            yield one.get("rule", ""), one.get("call") or {}
