"""A guard rule is refused with the field that is wrong, and fires exactly where it says."""

import json
from typing import Any

import pytest
from pydantic import ValidationError

from hookd.core.guard_rules.rule import (
    Rule,
    fired,
    fired_cached,
    parse_rule,
    payloads,
    unreadable_guards,
)
from hookd.core.model.facts import Effort, Facts, Guard, Session
from hookd.events.tool_pattern import ToolCall
from support.parametrize import parametrize_all

LS = ToolCall("Bash", {"command": "ls"})
PUSH = ToolCall("Bash", {"command": "git push --force origin"})
UNREADABLE = ToolCall("Bash", {"command": "if ("})


def refused(rule: Any) -> str:
    """Return the field that is named when a rule is refused."""
    with pytest.raises(ValidationError) as caught:
        Rule.model_validate(rule)
    return ".".join(map(str, caught.value.errors()[0]["loc"]))


WRONG = [
    ({}, "ruleId"),
    ({"id": ""}, "ruleId"),
    ({"id": "a b"}, "ruleId"),
    ({"id": "a" * 81}, "ruleId"),
    ({"id": "a\n"}, "ruleId"),
    ({"id": 7}, "ruleId"),
    ({"id": "a", "urgency": "deny"}, "urgency"),
    ({"id": "a", "priority": "first"}, "priority"),
    ({"id": "a", "colour": "red"}, "colour"),
    ({"id": "a", "toolfilter": {}}, "toolfilter"),
    ({"id": "a", "toolFilter": {"includes": []}}, "toolFilter.includes"),
    ({"id": "a", "toolFilter": {"include": ["Bash("]}}, "toolFilter.include.0"),
    ({"id": "a", "toolFilter": {"include": ["Bash", "(x)"]}}, "toolFilter.include.1"),
    ({"id": "a", "toolFilter": {"exclude": ["Bash()"]}}, "toolFilter.exclude.0"),
    ({"id": "a", "toolFilter": {"include": "Bash"}}, "toolFilter.include"),
    ({"id": "a", "whitelist": ["B ash"]}, "whitelist.0"),
    ({"id": "a", "payload": {"message": "x"}}, "payload.message"),
    ({"id": "a", "trigger": {"type": "time", "matches": "*"}}, "trigger.type"),
    ({"id": "a", "trigger": {"type": "phase"}}, "trigger.matches"),
    ({"id": "a", "condition": {"field": "x", "op": "gt", "value": 1}}, "condition.field"),
    (
        {"id": "a", "condition": {"field": "context_usage", "op": ">", "value": 1}},
        "condition.op",
    ),
    (
        {"id": "a", "condition": {"field": "context_usage", "op": "gt", "value": "full"}},
        "condition.value",
    ),
    (
        {"id": "a", "condition": {"field": "context_usage", "op": "gt", "value": float("inf")}},
        "condition.value",
    ),
    ([], ""),
    ("a", ""),
]


@parametrize_all(("rule", "field"), WRONG, ids=lambda value: str(value)[:60])
def test_what_is_wrong_with_a_rule_is_told_with_its_field(rule: Any, field: str) -> None:
    assert refused(rule) == field


WHOLE = {
    "id": "no-force",
    "description": "History is shared.",
    "trigger": {"type": "phase", "matches": "test*"},
    "condition": {"field": "heartbeat_counter", "op": "gte", "value": 3},
    "toolFilter": {"include": ["Bash(git push --force *)"], "exclude": ["Read"]},
    "payload": {"text": "Open a pull request."},
    "urgency": "block",
    "priority": 5,
    "whitelist": ["Write"],
}


@parametrize_all("name", ["id", "ruleId"])
def test_a_rule_is_kept_as_text_and_read_back_the_same(name: str) -> None:
    given = {(name if key == "id" else key): value for key, value in WHOLE.items()}
    rule = Rule.model_validate(given)
    assert parse_rule(rule.model_dump_json(by_alias=True, exclude_none=True)) == rule
    assert rule.id == "no-force"


def rules(*given: dict[str, Any], **facts: Any) -> Facts:
    guards = [
        Guard(number, one["id"], "user", json.dumps(one)) for number, one in enumerate(given, 1)
    ]
    return Facts(guards=tuple(guards), **facts)


def fires(call: ToolCall, **rule: Any) -> bool | None:
    """Return whether the one rule fires: True is sure, False is not sure, None is not at all."""
    facts = rule.pop("facts", {})
    found = fired(call, rules({"id": "a"} | rule, **facts))
    return found[0].certain if found else None


FORCE = {"include": ["Bash(git push --force *)"]}

FILTERED = [
    (LS, {}, True),
    (PUSH, {"toolFilter": FORCE}, True),
    (LS, {"toolFilter": FORCE}, None),
    (UNREADABLE, {"toolFilter": FORCE}, False),
    (ToolCall("Bash", {"command": "$CMD push"}), {"toolFilter": FORCE}, False),
    (ToolCall("Bash", {}), {"toolFilter": FORCE}, False),
    (ToolCall("Read", {"file_path": "/x"}), {"toolFilter": FORCE}, None),
    (UNREADABLE, {"toolFilter": {"include": ["Bash"]}}, True),
    (LS, {"toolFilter": {"include": ["Read", "Bash(ls)"]}}, True),
    (LS, {"toolFilter": {"exclude": ["Bash(ls)"]}}, None),
    (LS, {"whitelist": ["Bash(ls *)"]}, None),
    (PUSH, {"whitelist": ["Bash(ls *)"]}, True),
    (UNREADABLE, {"whitelist": ["Bash(if *)"]}, True),
    (UNREADABLE, {"whitelist": ["Bash"]}, None),
    (ToolCall("Bash", {"command": "ls; rm x"}), {"whitelist": ["Bash(ls *)"]}, True),
    (ToolCall("mcp__db__drop", {"table": "t"}), {"toolFilter": {"include": ["mcp__*"]}}, True),
]


@parametrize_all(("call", "rule", "expected"), FILTERED, ids=str)
def test_a_rule_fires_for_the_calls_that_it_is_about(
    call: ToolCall, rule: dict[str, Any], expected: bool | None
) -> None:
    assert fires(call, **rule) == expected


CONDITIONS = [
    ("gte", 3, True),
    ("gte", 4, None),
    ("gt", 2, True),
    ("gt", 3, None),
    ("lte", 3, True),
    ("lte", 2, None),
    ("lt", 4, True),
    ("lt", 3, None),
    ("eq", 3, True),
    ("eq", 3.5, None),
]


@parametrize_all(("op", "value", "expected"), CONDITIONS)
def test_a_condition_compares_a_number_of_the_session(op: str, value: float, expected: Any) -> None:
    condition = {"field": "heartbeat_counter", "op": op, "value": value}
    session = Session(1, "s", heartbeat_counter=3)
    assert fires(LS, condition=condition, facts={"session": session}) == expected


def test_a_condition_on_what_is_not_known_does_not_hold() -> None:
    condition = {"field": "context_usage", "op": "lt", "value": 1}
    assert fires(LS, condition=condition) is None
    assert fires(LS, condition=condition, facts={"session": Session(1, "s")}) is None


ACTIVE = Effort(1, "/w", "implement", phase="tests: unit")
NO_PHASE = Effort(1, "/w", "implement")
FINISHED = Effort(1, "/w", "implement", lifecycle="finished")

TRIGGERS = [
    ("phase", "tests*", ACTIVE, True),
    ("phase", "Tests*", ACTIVE, None),
    ("phase", "build", ACTIVE, None),
    ("phase", "*", NO_PHASE, True),
    ("phase", "?*", NO_PHASE, None),
    ("phase", "*", None, None),
    ("lifecycle", "active", ACTIVE, True),
    ("lifecycle", "finished", ACTIVE, None),
    ("lifecycle", "finished", FINISHED, True),
    ("lifecycle", "none", None, True),
    ("lifecycle", "none", ACTIVE, None),
    ("lifecycle", "*", None, None),
]


@parametrize_all(("kind", "matches", "effort", "expected"), TRIGGERS, ids=str)
def test_a_trigger_names_the_phase_or_the_lifecycle(
    kind: str, matches: str, effort: Any, expected: Any
) -> None:
    trigger = {"type": kind, "matches": matches}
    assert fires(LS, trigger=trigger, facts={"effort": effort}) == expected


def test_rules_are_told_by_priority_and_then_in_the_order_they_were_set() -> None:
    facts = rules({"id": "c", "priority": 5}, {"id": "a"}, {"id": "d", "priority": -1}, {"id": "b"})
    found = fired(LS, facts)
    assert [one.rule.id for one in found] == ["d", "c", "a", "b"]
    assert payloads(found[:1]) == [{"ruleId": "d", "payload": {"text": ""}}]


def test_without_rules_none_fires() -> None:
    assert fired(LS, Facts()) == ()


ODD = [
    '{"ruleId": "odd", "future": 1}',
    '{"ruleId": "odd", "trigger": {"type": "moon", "condition": {}}}',
    '{"ruleId": "odd", "toolFilter": {"include": ["Bash("]}}',
    '{"ruleId": "odd"',
    "[" * 5000,
    "null",
    "",
]


@parametrize_all("text", ODD, ids=lambda text: text[:40])
def test_a_rule_that_cannot_be_read_takes_no_other_with_it(text: str) -> None:
    facts = rules({"id": "a"}, {"id": "b"})
    odd = Guard(7, "odd", "user", text)
    mixed = Facts(guards=(facts.guards[0], odd, facts.guards[1]))
    assert fired(LS, mixed) == fired(LS, facts) != ()
    assert unreadable_guards(mixed) == (odd,)
    assert unreadable_guards(facts) == ()


def test_for_the_call_at_hand_it_is_found_once_what_fires() -> None:
    facts, call = rules({"id": "a"}, {"id": "b"}), ToolCall("Bash", {"command": "ls"})
    first = fired_cached(call, facts)
    assert first == fired(call, facts)
    assert fired_cached(call, facts) is first


def test_another_call_and_other_facts_are_judged_anew() -> None:
    filtered = {"toolFilter": {"include": ["Bash(ls)"]}}
    assert fired_cached(LS, rules({"id": "a"} | filtered))
    assert fired_cached(PUSH, rules({"id": "a"} | filtered)) == ()
    assert fired_cached(LS, Facts()) == ()
    for name in ("a", "b", "c"):
        facts = rules({"id": name} | filtered)
        for call in (LS, PUSH, UNREADABLE):
            assert fired_cached(call, facts) == fired(call, facts)
