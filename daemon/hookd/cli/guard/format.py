"""The home of how a guard rule is told on the terminal: what it does, to which calls, and where."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hookd.cli.lib.output import Column, cell

DOES = {
    "block": "denies",
    "interrupt": "interrupts",
    "ask": "asks about",
    "allow": "comments on",
}
"""What a rule does, by its urgency."""

_STYLES = {"denies": "red", "interrupts": "red", "asks about": "yellow", "comments on": "green"}

NAMED = [
    Column("name", "name", firm=True),
    Column("does", "does", firm=True, styles=_STYLES),
    Column("calls", "calls"),
]
"""The columns that every list of rules begins with."""


def does(rule: Mapping[str, Any]) -> str:
    """Return what a rule does, as a word before the calls."""
    return DOES.get(rule.get("urgency", "allow"), "")


def calls(rule: Mapping[str, Any]) -> str:
    """Return which calls a rule is about."""
    include = (rule.get("toolFilter") or {}).get("include")
    limits = (name for name in ("condition", "trigger") if rule.get(name))
    return " ".join([", ".join(include or ["every call"]), *(f"on its {name}" for name in limits)])


def row(one: Mapping[str, Any]) -> dict[str, Any]:
    """Return a rule that is set, with where it holds."""
    rule = one["rule"]
    parts = (rule, rule.get("toolFilter", {}), rule.get("payload", {})) if _is(rule) else (rule,)
    if not all(map(_is, parts)):
        rule = {"urgency": "", "payload": {"text": "cannot be read: every call is asked about"}}
    where = {"project": one["project"], "effort": f"effort {one['effortId']}"}
    return {
        "name": one["ruleId"],
        "does": does(rule),
        "calls": calls(rule),
        "text": rule.get("payload", {}).get("text"),
        "where": where.get(one["scope"], "everywhere"),
    }


def faults(guards: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield a line for each reason why a rule never matches, and each unknown tool name."""
    for one in guards:
        for kind in ("problem", "warning"):
            for why in one.get(f"{kind}s", ()):
                yield f"hookd: {kind}: guard {cell(one['ruleId'])}: {cell(why)}"


def _is(part: object) -> bool:
    return isinstance(part, Mapping)
