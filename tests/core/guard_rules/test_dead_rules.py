"""Guard rules that can never match are refused with the reason; unknown tools are named."""

import json
from typing import Any

from hookd.core.guard_rules.builtin import BUILTIN
from hookd.core.guard_rules.dead_rules import pattern_problem, stored_rule_problems
from hookd.core.model.errors import DomainError
from hookd.core.model.facts import Facts
from hookd.methods.guards import add
from support.parametrize import parametrize_all

DEAD = [
    ("WebFetch(example.com)", "WebFetch(domain:example.com)"),
    ("WebFetch(www.example.com/*)", "WebFetch(domain:www.example.com)"),
    ("WebFetch(domain:https://example.com)", "no scheme, port or path"),
    ("WebFetch(domain:example.com/a)", "no scheme, port or path"),
    ("WebFetch(ftp://x/*)", "begins with http:// or https://"),
    ("Read(!*.env)", "cannot exclude"),
    ("Read(/a/../b)", "'..' resolved"),
    ("Bash(rm -rf x; ls)", "simple command"),
    ("Bash(rm|ls *)", "simple command"),
    ("Bash(for x in *)", "is no program"),
    ("Bash(A=b make *)", "assignments"),
    ("Skill(/deploy)", "no slash"),
    ("TodoWrite(fix)", "TodoWrite(*fix*)"),
    ("mcp__github__create(main)", "mcp__github__create(*main*)"),
]


@parametrize_all(("text", "why"), DEAD)
def test_a_pattern_that_never_matches_is_named_with_the_reason(text: str, why: str) -> None:
    assert why in str(pattern_problem(text))


@parametrize_all(
    "text",
    [
        *("Bash", "Bash(*)", "Bash(rm *)", r"Bash(find * -exec * \;)", "Bash(sed 's/a;b/c/' *)"),
        *("Bash(npm run test:*)", "Bash(*)", "*", "*(x)", "Bash([rm])", "Bash('a;b' *)"),
        *("WebFetch(*)", "WebFetch(*example.com*)", "WebFetch(http*)", "WebFetch([hx]ttp*)"),
        *("WebFetch(domain:*)", "WebFetch(domain:*.example.com)", "WebFetch(prompt:*x*)"),
        *("Read(../a)", "Read(./a)", "Read(~/x)", "Read(//x)", "Read(src/)", "Edit(a..b)"),
        *("mcp__x__y(*a*)", "mcp__x__y(a:b)", 'TodoWrite({"todos":*)', "Nothing(x)"),
        *("Agent(Explore)", "Grep(TODO)", "Glob(*.py)", "Skill(a:b)"),
    ],
)
def test_a_pattern_that_may_match_is_none(text: str) -> None:
    assert pattern_problem(text) is None


def added(**rule: Any) -> str | list[str]:
    """Return the warnings of `guards.add`, or why it refuses."""
    try:
        change = add.decide(add.Params(rule={"id": "x"} | rule), Facts())
    except DomainError as error:
        assert error.code == "INVALID_RULE"
        return str(error)
    assert isinstance(change.result, add.Result)
    return change.result.warnings


WARNED = [
    ("Bsh(rm *)", "Did you mean Bash?"),
    ("bash(rm *)", "Did you mean Bash?"),
    ("Shell", "no tool called 'Shell'"),
    ("Webfetch", "Did you mean WebFetch?"),
    ("ReadFile(x)", "no tool called 'ReadFile'"),
    ("mcp_github__x", "Did you mean mcp__github__x?"),
    ("Ed?t*z", "no tool called 'Ed?t*z'"),
]


@parametrize_all(("text", "said"), WARNED)
def test_an_unknown_tool_is_warned_about(text: str, said: str) -> None:
    warnings = added(toolFilter={"include": [text]}, urgency="block")
    assert isinstance(warnings, list)
    assert len(warnings) == 1
    assert said in warnings[0]


@parametrize_all(
    "text", ["Bash", "Task", "KillShell", "mcp__github", "mcp__*", "*", "Web*", "Workflow"]
)
def test_a_known_tool_is_not(text: str) -> None:
    assert added(toolFilter={"include": [text]}) == []


REFUSED = [
    ({"toolFilter": {"include": ["Bash", "WebFetch(x.org)"]}}, "toolFilter.include: 'WebFetch(x"),
    ({"whitelist": ["Read(!a)"]}, "whitelist: 'Read(!a)' never matches"),
    ({"toolFilter": {"include": ["Bash(rm *)"], "exclude": ["Bash"]}}, "exempt every call"),
    ({"whitelist": ["*"], "urgency": "block"}, "exempt every call"),
    ({"condition": {"field": "context_usage", "op": "gt", "value": 1}}, "context_usage is never"),
    ({"condition": {"field": "tool_calls", "op": "lt", "value": 0}}, "tool_calls is never"),
    (
        {"trigger": {"type": "contextThreshold", "condition": {"gte": 0.9, "lt": 0.5}}},
        "no number is within",
    ),
    ({"trigger": {"type": "toolCount", "condition": {"gt": 5, "lt": 5}}}, "no number is within"),
    ({"trigger": {"type": "lifecycle", "condition": {"matches": "Active"}}}, "no state of an"),
    (
        {"trigger": {"type": "lifecycle", "condition": {"noActiveSession": True, "eq": "active"}}},
        "no state of an",
    ),
]


@parametrize_all(("rule", "why"), REFUSED)
def test_a_rule_that_can_never_match_is_refused(rule: dict[str, Any], why: str) -> None:
    assert why in str(added(**rule))


@parametrize_all(
    "rule",
    [
        {"toolFilter": {"include": ["Edit(*.py)"], "exclude": ["Edit"]}, "urgency": "block"},
        {"trigger": {"type": "contextThreshold", "condition": {"gte": "warn", "lt": 0.5}}},
        {"trigger": {"type": "toolCount", "condition": {"gte": 5, "lte": 5}}},
        {"trigger": {"type": "lifecycle", "condition": {"matches": "idle"}}},
        {"trigger": {"type": "lifecycle", "matches": "f*"}},
        {"condition": {"field": "context_usage", "op": "gte", "value": "warn"}},
    ],
)
def test_a_rule_that_may_match_is_set(rule: dict[str, Any]) -> None:
    assert added(**rule) == []


def test_no_built_in_rule_is_dead() -> None:
    stored = {name: json.dumps({"id": name, **rule}) for name, rule in BUILTIN.items()}
    for name, text in stored.items():
        assert stored_rule_problems(text) == {"problems": [], "warnings": []}, name


def test_a_stored_rule_that_cannot_be_read_says_so() -> None:
    assert "cannot be read" in stored_rule_problems("{}")["problems"][0]
