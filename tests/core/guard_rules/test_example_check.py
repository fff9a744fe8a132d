"""Each example is judged by its own rule, in the situation that it sets."""

from typing import Any

from hookd.core.guard_rules.example_check import check_examples
from hookd.core.guard_rules.rule import Rule
from hookd.core.model.facts import Guard
from support.parametrize import parametrize_all
from support.patches import add, delete, patch

ROOT, HOME = "/home/me/shop", "/home/me"


def said(*rules: dict[str, Any]) -> list[str]:
    """Return what the rules say of their examples, in order."""
    return [one.said for one in check_examples(list(map(stored, rules)), ROOT, HOME)]


def stored(rule: dict[str, Any]) -> Guard:
    text = Rule.model_validate(rule).model_dump_json(by_alias=True, exclude_none=True)
    return Guard(1, rule["id"], "project", text)


PUSH = {"id": "a", "match": "Bash(git push *)", "deny": "No."}
MAIN = {"id": "a", "protectedBranches": "main", "deny": "No."}
AFTER = {"id": "a", "match": "Bash(git commit *)", "after": "npm test", "deny": "No."}
BUDGET = {"id": "a", "budget": {"session": 5}, "ask": "Continue?"}
LARGE = {"id": "a", "match": "Write", "largerThan": "500 lines", "deny": "No."}
LOG = {"id": "a", "condition": {"field": "heartbeat_counter", "op": "gte", "value": 3}, "deny": "x"}
CALLS = {"id": "a", "trigger": {"type": "toolCount", "condition": {"gt": 2}}, "deny": "x"}
WORK = {"id": "a", "trigger": {"type": "lifecycle", "matches": "loading"}, "deny": "x"}
NONE = {
    "id": "a",
    "trigger": {"type": "lifecycle", "condition": {"noActiveSession": True}},
    "deny": "x",
}
PHASE = {"id": "a", "trigger": {"type": "phase", "condition": {"eq": "build"}}, "tell": "x"}

SITUATIONS: list[tuple[dict[str, Any], Any, str]] = [
    (PUSH, "git push -f", "denies"),
    (PUSH, "git pull", "allows"),
    (PUSH, "if (", "asks"),
    (PUSH, "Read(git push)", "allows"),
    ({**PUSH, "deny": None, "stop": "No."}, "git push", "denies"),
    ({"id": "a", "match": "Bash(git push *)", "ask": "Why?"}, "git push", "asks"),
    ({"id": "a", "match": "Bash(git push *)", "tell": "Look."}, "git push", "tells"),
    ({"id": "a", "match": "Bash(git push *)", "tell": "Look."}, "if (", "allows"),
    (MAIN, "git push origin main", "denies"),
    (MAIN, "git push", "allows"),
    (MAIN, {"call": "git push", "branch": "main"}, "denies"),
    (MAIN, {"call": "git push", "branch": "fix"}, "allows"),
    ({**PUSH, "branch": "main"}, {"call": "git push", "branch": "main"}, "denies"),
    ({**PUSH, "branch": "main"}, "git push", "allows"),
    (AFTER, "git commit -m x", "denies"),
    (AFTER, {"call": "git commit -m x", "after": "npm test"}, "allows"),
    (AFTER, {"call": "git commit -m x", "after": ["npm run lint"]}, "denies"),
    (AFTER, "npm test && git commit -m x", "allows"),
    ({**PUSH, "agents": "Explore"}, {"call": "git push", "agent": "Explore"}, "denies"),
    ({**PUSH, "agents": "subagent"}, {"call": "git push", "agent": "subagent"}, "denies"),
    ({**PUSH, "agents": "main"}, {"call": "git push", "agent": "Explore"}, "allows"),
    ({**PUSH, "agents": "main"}, "git push", "denies"),
    ({**PUSH, "client": "codex"}, {"call": "git push", "client": "codex"}, "denies"),
    ({**PUSH, "client": ["codex", "gemini"]}, {"call": "git push", "client": "gemini"}, "denies"),
    ({**PUSH, "client": "codex"}, {"call": "git push", "client": "claude-code"}, "allows"),
    ({**PUSH, "client": "codex"}, "git push", "allows"),
    ({**PUSH, "context": "80%"}, {"call": "git push", "context": "85%"}, "denies"),
    ({**PUSH, "context": "80%"}, {"call": "git push", "context": "critical"}, "denies"),
    ({**PUSH, "context": "80%"}, "git push", "allows"),
    (BUDGET, {"call": "ls", "spent": {"session": 6}}, "asks"),
    (BUDGET, {"call": "ls", "spent": {"day": 6}}, "allows"),
    (BUDGET, "ls", "allows"),
    (LARGE, {"call": "Write(a)", "size": "501 lines"}, "denies"),
    (LARGE, {"call": "Write(a)", "size": "500 lines"}, "allows"),
    (LOG, {"call": "ls", "heartbeat": 3}, "denies"),
    (LOG, "ls", "allows"),
    (CALLS, {"call": "ls", "toolCalls": 3}, "denies"),
    (WORK, {"call": "ls", "lifecycle": "loading"}, "denies"),
    (WORK, {"call": "ls", "lifecycle": "active"}, "allows"),
    (NONE, {"call": "ls", "lifecycle": "finished"}, "denies"),
    (NONE, {"call": "ls", "lifecycle": "active"}, "allows"),
    (PHASE, {"call": "ls", "phase": "Build"}, "tells"),
    ({"id": "a", "changes": "db/**", "deny": "No."}, "echo x > db/a.sql", "denies"),
    ({"id": "a", "changes": "db/**", "deny": "No."}, "Edit(db/a.sql)", "denies"),
    ({"id": "a", "changes": "/db/**", "deny": "No."}, "rm a.sql", "allows"),
    ({"id": "a", "changes": "db/**", "deny": "No."}, {"call": "rm a", "folder": "db"}, "denies"),
    ({"id": "a", "match": "Read(~/.ssh/**)", "deny": "No."}, f"Read({HOME}/.ssh/x)", "denies"),
    ({"id": "a", "reaches": "x.example", "deny": "No."}, "curl https://x.example", "denies"),
    ({"id": "a", "match": "Edit(/db/**)", "deny": "No."}, "ApplyPatch(db/x)", "denies"),
    ({"id": "a", "match": "Edit(/db/**)", "deny": "No."}, "ApplyPatch(src/x)", "allows"),
    ({"id": "a", "match": "ApplyPatch(/db/**)", "ask": "Sure?"}, "ApplyPatch(db/x)", "asks"),
    ({"id": "a", "changes": "db/**", "deny": "No."}, "ApplyPatch(db/x)", "denies"),
    ({"id": "a", "match": "ApplyPatch", "changes": "db/**", "deny": "No."},
     f"ApplyPatch({patch(add('a'), delete('db/x'))})", "denies"),
]  # fmt: skip


@parametrize_all(("rule", "example", "says"), SITUATIONS)
def test_an_example_is_judged_in_its_situation(
    rule: dict[str, Any], example: Any, says: str
) -> None:
    kept = {key: value for key, value in rule.items() if value is not None}
    assert said({**kept, "denies": [example]}) == [says]


def test_closing_rules_share_their_whitelists_and_other_rules_take_no_part() -> None:
    one = {"id": "a", "deny": "x", "whitelist": ["Bash(ls *)"], "denies": "pwd", "allows": "ls"}
    other = {"id": "b", "deny": "x", "whitelist": ["Bash(pwd)"], "allows": ["ls", "pwd"]}
    push = {**PUSH, "id": "c", "allows": "git pull"}
    assert said(one, push) == ["denies", "allows", "allows"]
    assert said(one, other, push) == ["allows", "allows", "allows", "allows", "allows"]


def test_an_example_says_its_place_and_whether_it_passes() -> None:
    rule = {**PUSH, "denies": ["git push", "git pull"], "allows": ["ls"]}
    rows = list(check_examples([stored(rule)], ROOT, HOME))
    assert [(one.number, one.expected, one.passed) for one in rows] == [
        (0, "denies", True),
        (1, "denies", False),
        (2, "allows", True),
    ]
    assert rows[1].call == "git pull"
