"""Guard rules: what each does to which calls, where it applies, and where it is from."""

import json
from collections.abc import Mapping
from typing import Any

from hookd.core.guard_rules.dead_rules import stored_rule_problems
from hookd.core.guard_rules.describe import calls_of
from hookd.store.browse import rules
from hookd.web.page import Ask, Change, Page, Values

_VERBS = {
    "block": "denies",
    "interrupt": "interrupts",
    "ask": "asks about",
    "allow": "comments on",
}
"""A rule's urgency, and the verb that is shown for it."""


async def view(ask: Ask) -> Values:
    """Return all rules, and the calls that may pass a guard."""
    rows = await ask.read(rules.rules)
    return {
        "rules": [described(row) for row in rows],
        "allowances": await ask.read(rules.allowances),
    }


async def remove(ask: Ask, _form: Mapping[str, str]) -> str:
    """Remove the allow rules of an event's call. Raise DaemonError."""
    await ask.call("allowances.remove", {"eventId": ask.path["number"]})
    return "rules"


def described(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a rule with words for what it does, where, from which source, and its problems."""
    rule = row["rule"] if isinstance(row["rule"], dict) else {}
    payload = rule.get("payload") or {}
    return {
        **row,
        "verb": _VERBS.get(str(rule.get("urgency")), "comments on"),
        "calls": calls_of(rule),
        "text": payload.get("text", ""),
        "place": _place(row),
        "origin": row["source"] or "hookd guard add",
        "faults": [str(one) for one in stored_rule_problems(json.dumps(row["rule"]))["problems"]],
    }


def _place(row: Mapping[str, Any]) -> str:
    if row["scope"] == "project":
        return str(row["project"])
    return f"effort {row['effortId']}" if row["scope"] == "effort" else "everywhere"


PAGE = Page("rules", "Rules", "rules.html", view, menu="Rules")
REMOVE = Change("events/{number:int}/block", remove)
