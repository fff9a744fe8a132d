"""The conditions of a rule are refused with a sentence that says what to write instead."""

from typing import Any

from pytest import raises

from hookd.core.guard_rules.conditions import size_limit
from hookd.core.guard_rules.dead_rules import validate_rule
from hookd.core.guard_rules.rule import Rule, parse_rule
from hookd.core.model.errors import DomainError
from support.parametrize import parametrize_all

WRONG: list[tuple[dict[str, Any], str]] = [
    ({"changes": []}, "changes: an empty list matches nothing"),
    ({"changes": "../x"}, "changes.0: invalid path '../x': use an absolute path"),
    ({"changes": "a{b,c}"}, "changes.0: invalid path"),
    ({"changes": ["!a"]}, "changes: an exception needs something before it"),
    ({"changes": ["a", "!**", "!a"]}, "changes: its exceptions name everything"),
    ({"changes": 5}, "changes: expected a list"),
    ({"reaches": "https://pastebin.com/x"}, "leave the scheme and the path out: pastebin.com"),
    ({"reaches": "a b"}, "reaches.0: 'a b' is no domain"),
    ({"reaches": ["*.a.com", "!*"]}, "reaches: its exceptions name everything"),
    ({"protectedBranches": "a b"}, "protectedBranches.0: 'a b' is no branch"),
    ({"branch": "a..b:c"}, "branch.0: 'a..b:c' is no branch"),
    ({"agents": " "}, "agents.0: an agent needs a name"),
    ({"client": "cursor"}, "client.0: 'cursor' is no client: write one of claude-code, codex,"),
    ({"client": []}, "client: an empty list matches nothing"),
    ({"largerThan": "big"}, "largerThan: give a size: 500 lines, 64 kB"),
    ({"largerThan": -1}, "largerThan: give a size"),
    ({"largerThan": True}, "largerThan: give a size"),
    ({"context": "full"}, "context: give a number, or a level"),
    ({"context": "180%"}, "context: Input should be less than or equal to 1"),
    ({"changes": "a", "toolFilter": {"include": ["Read"]}}, "changes: no call of Read changes"),
    ({"reaches": "a.com", "toolFilter": {"include": ["Edit(*.py)"]}}, "reaches: no call of Edit"),
    ({"protectedBranches": "main", "toolFilter": {"include": ["WebFetch"]}}, "no call of WebFetch"),
    (
        {"changes": "a", "reaches": "a.com", "toolFilter": {"include": ["Write", "WebFetch"]}},
        "no tool that the rule includes can do all that it says",
    ),
    (
        {
            "context": 0.9,
            "trigger": {"type": "contextThreshold", "condition": {"lt": 0.5}},
        },
        "context: the trigger is only met below it",
    ),
]


@parametrize_all(("keys", "says"), WRONG, ids=lambda value: str(value)[:60])
def test_a_wrong_condition_is_refused(keys: dict[str, Any], says: str) -> None:
    with raises(DomainError) as caught:
        validate_rule({"id": "a", "urgency": "block", **keys})
    assert says in str(caught.value)


FINE: list[dict[str, Any]] = [
    {"changes": "migrations/**"},
    {"changes": ["/**", "!**", "!/tmp/**"]},
    {"changes": "a", "toolFilter": {"include": ["Edit"]}},
    {"changes": "a", "reaches": "a.com"},
    {"reaches": ["*", "!*.github.com", "!localhost", "!127.0.0.1"]},
    {"reaches": "mcp.example.com", "toolFilter": {"include": ["mcp__github"]}},
    {"protected_branches": ["main", "release/*"]},
    {"largerThan": "500 lines", "branch": "main", "agents": ["subagent", "Explore"]},
    {"larger_than": 20000},
    {"context": "warn"},
    {"context": "80 %"},
]


@parametrize_all("keys", FINE, ids=lambda value: str(value)[:60])
def test_a_stored_rule_is_the_same_rule(keys: dict[str, Any]) -> None:
    rule = validate_rule({"id": "a", **keys})
    stored = rule.model_dump_json(by_alias=True, exclude_none=True)
    assert parse_rule(stored) == rule


def test_a_rule_without_conditions_is_stored_as_before() -> None:
    stored = Rule.model_validate({"id": "a"}).model_dump(by_alias=True, exclude_none=True)
    assert set(stored) == {
        *("ruleId", "description", "toolFilter", "payload", "mode", "urgency", "priority"),
        *("inject", "whitelist"),
    }


@parametrize_all(
    ("text", "limit"),
    [
        ("500 lines", (True, 500)),
        ("1 line", (True, 1)),
        ("64 kB", (False, 64_000)),
        ("1.5MB", (False, 1_500_000)),
        ("20000", (False, 20_000)),
        ("300 chars", (False, 300)),
        ("300 bytes", (False, 300)),
    ],
)
def test_a_size(text: str, limit: tuple[bool, float]) -> None:
    assert size_limit(text) == limit
