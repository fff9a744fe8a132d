"""Rules of a fleet only tighten: a file with anything else is refused as a whole."""

import pytest

from hookd.core.fleet.team_rules import read_team_rules
from hookd.core.guard_rules.rule import Payload, Rule

POLICIES = {"path-guard": 1, "claim-guard": 1}
DENY = "- {id: no-main, match: 'Bash(git push * main)', deny: 'Open a pull request.'}"

TIGHT = [
    DENY,
    "- {id: a, match: 'Bash(make deploy *)', ask: 'Deploy?'}",
    "- {id: a, match: 'Bash(make *)', tell: 'The build is slow.'}",
    "- {id: a, match: 'Bash(make *)', deny: 'No.', whitelist: ['Bash(make test)']}",
]
LOOSE = [
    ("- {id: a, match: 'Bash(git push *)', softens: true, ask: 'x'}", "it loosens: for Bash"),
    ("- {id: a, deny: 'Nothing.', whitelist: ['Bash(ls)']}", "it loosens: its whitelist"),
    ("- {id: a, match: Read, tell: x, payload: {files: [/etc/passwd]}}", ""),
]


@pytest.mark.parametrize("rule", TIGHT)
def test_a_rule_that_tightens_is_read(rule: str) -> None:
    found = read_team_rules(f"rules:\n{rule}\n".encode(), POLICIES)
    assert (found.refusal, len(found.rules)) == ("", 1)


@pytest.mark.parametrize(("rule", "why"), LOOSE)
def test_one_rule_that_loosens_refuses_the_file(rule: str, why: str) -> None:
    found = read_team_rules(f"rules:\n{DENY}\n{rule}\n".encode(), POLICIES)
    assert found.rules == ()
    assert found.policies == ()
    assert found.problems[0].line == 3
    assert why in found.refusal


def test_a_payload_of_files_or_a_command_is_refused() -> None:
    for payload, why in (
        ("files: [/home/me/.ssh/id_ed25519]", "adds no files"),
        ("preload: [notes.md]", "adds no files"),
        ("command: make", "names no command"),
    ):
        text = f"rules:\n- id: a\n  match: Bash(make *)\n  payload: {{text: x, {payload}}}\n"
        assert why in read_team_rules(text.encode(), POLICIES).refusal


def test_policies_may_be_turned_on() -> None:
    text = b"policies: {enabled: [path-guard], options: {claim-guard: {mode: enforce}}}\n"
    assert read_team_rules(text, POLICIES).policies == ("path-guard", "claim-guard")


@pytest.mark.parametrize(
    ("policies", "why"),
    [
        ("{disabled: [path-guard]}", "it loosens"),
        ("{options: {path-guard: {mode: 'off'}}}", "path-guard: it may loosen"),
        ("{options: {path-guard: {mode: warn}}}", "path-guard: it may loosen"),
        ("{options: {path-guard: {allow: ['/**']}}}", "path-guard: it may loosen"),
        ("{options: {path-guard: {mode: enforce, clients: [codex]}}}", "it may loosen"),
        ("{options: {path-guard: {}}}", "it may loosen"),
        ("{profile: guards}", "it may loosen"),
        ("{enabled: [no-such]}", "there is no policy 'no-such'"),
        ("{odd: 1}", "policies.odd: there is no such setting"),
        ("7", "policies"),
    ],
)
def test_no_other_setting_of_policies_is_taken(policies: str, why: str) -> None:
    found = read_team_rules(f"rules:\n{DENY}\npolicies: {policies}\n".encode(), POLICIES)
    assert found.rules == ()
    assert why in found.refusal


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b"rules: 7\n", "expected a list of rules"),
        (b"hooks: {}\n", "there is no such key"),
        (b"rules:\n- {id: a\n", "invalid YAML"),
        (b"\xff", "this is not UTF-8"),
    ],
)
def test_a_broken_file_says_where(text: bytes, why: str) -> None:
    assert why in read_team_rules(text, POLICIES).refusal


def test_an_empty_file_takes_all_rules_back() -> None:
    assert read_team_rules(b"rules: []\n", POLICIES).refusal == ""


TIGHTENING = {
    *("id", "description", "trigger", "condition", "tool_filter", "payload", "mode", "urgency"),
    *("priority", "inject", "changes", "reaches", "protected_branches", "larger_than", "branch"),
    *("agents", "client", "context", "after", "budget", "denies", "asks", "tells", "allows"),
}
"""Fields of a rule that spare no call from another rule, whatever their value."""

CHECKED = {"whitelist", "softens"}
"""Those that can: `core.guard_rules.rule.loosening` says when."""


def test_each_field_of_a_rule_is_known_to_tighten_or_is_checked() -> None:
    assert set(Rule.model_fields) == TIGHTENING | CHECKED
    assert set(Payload.model_fields) == {"text", "files", "preload", "command"}
