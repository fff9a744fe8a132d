"""A rule from a call is about that call, and about hardly any other."""

from typing import Any

import pytest

from hookd.core.guard_rules.example_check import check_examples
from hookd.core.guard_rules.rule import Rule
from hookd.core.guard_rules.rule_from_call import (
    MadeCall,
    UnclearCallError,
    name_of_pattern,
    pattern_of_call,
    rule_of_call,
)
from hookd.core.model.facts import Guard
from support.parametrize import parametrize_all
from support.patches import add, delete, patch, update

ROOT, HOME = "/home/me/shop", "/home/me"


def made(tool: str, cwd: str = ROOT, **given: Any) -> MadeCall:
    return MadeCall(tool, given, cwd, ROOT, HOME)


def bash(command: str, cwd: str = ROOT) -> MadeCall:
    return made("Bash", cwd, command=command)


CALLS = [
    (bash("npm publish"), "Bash(npm publish)", ["npm pack", "npm publish x", "npm"]),
    (bash("cd a && npm publish --tag x"), "Bash(npm publish --tag x)", ["npm publish --tag y"]),
    (bash("/opt/bin/tool a"), "Bash(tool a)", ["tool b"]),
    (bash("git add 'a b' '*'"), "Bash(git add 'a b' '[*]')", ["git add 'a b' c", "git add a"]),
    (bash("rm *.log"), "Bash(rm '*.log')", ["rm a.txt", "rm a.log b"]),
    (bash('git push origin "$B"'), "Bash(git push origin '$B')", ["git push origin main"]),
    (made("Write", file_path=f"{ROOT}/a/b.py", content="x"), "Edit(/a/b.py)", ["Edit(a/c.py)"]),
    (made("Edit", f"{ROOT}/a", file_path="b[1].py"), "Edit(/a/b[[]1].py)", ["Edit(a/b1.py)"]),
    (made("Read", file_path="/etc/hosts"), "Read(//etc/hosts)", ["Read(/etc/host)"]),
    (made("WebFetch", url="https://x.example/?a=1"), "WebFetch(https://x.example/[?]a=1)",
     ["WebFetch(https://x.example/?a=2)"]),
    (made("ApplyPatch", command=patch(update("a/b.py"))), "Edit(/a/b.py)", ["ApplyPatch(a/c.py)"]),
    (made("ApplyPatch", command=patch(delete("a/b.py"))), "Edit(/a/b.py)", ["Edit(a/c.py)"]),
    (made("Skill", skill="deploy"), "Skill(deploy)", ["Skill(test)"]),
    (made("mcp__db__run", sql="DROP *"), 'mcp__db__run({"sql":"DROP [*]"})',
     ['mcp__db__run({"sql": "SELECT"})']),
    (made("mcp__db__list"), "mcp__db__list", ["mcp__db__run({})"]),
]  # fmt: skip


@parametrize_all(("call", "pattern", "others"), CALLS)
def test_the_pattern_is_for_this_call(call: MadeCall, pattern: str, others: list[str]) -> None:
    assert pattern_of_call(call, in_project=True) == pattern
    rule = rule_of_call(call, pattern, name_of_pattern(pattern, "deny"), "deny", "")
    known = Rule.model_validate({**rule, "allows": others})
    guard = Guard(1, known.id, "user", known.model_dump_json(by_alias=True, exclude_none=True))
    assert all(one.passed for one in check_examples([guard], ROOT, HOME))


def test_a_patch_of_several_files_makes_no_rule_but_names_the_patterns() -> None:
    call = made("ApplyPatch", command=patch(add("a"), update("b", "c")))
    with pytest.raises(UnclearCallError) as raised:
        pattern_of_call(call, in_project=True)
    assert raised.value.patterns == ("Edit(/a)", "Edit(/b)", "Edit(/c)")
    with pytest.raises(UnclearCallError, match="names no file"):
        pattern_of_call(made("ApplyPatch", command="x"), in_project=True)


def test_for_every_project_a_path_begins_at_the_root() -> None:
    call = made("Write", file_path="a.py", content="")
    assert pattern_of_call(call, in_project=False) == f"Edit(/{ROOT}/a.py)"


UNCLEAR = [
    (bash("npm test && npm publish"), "several programs", ("Bash(npm test)", "Bash(npm publish)")),
    (bash("if ("), "cannot be read", ()),
    (bash("cat > a.txt <<'E'\nx\nE\n"), "all that it does is write a.txt", ()),
    (bash("$X -rf a"), "no program", ()),
    (bash("curl [redacted:github-token]"), "a secret was removed", ()),
    (bash(f"echo {'x' * 1000}"), "too long", ()),
    (made("Edit"), "names no file", ()),
    (made("WebFetch", prompt="x"), "has no url", ()),
]


@parametrize_all(("call", "why", "patterns"), UNCLEAR)
def test_a_call_that_is_not_one_thing_is_refused(
    call: MadeCall, why: str, patterns: tuple[str, ...]
) -> None:
    with pytest.raises(UnclearCallError, match=why) as refused:
        pattern_of_call(call, in_project=True)
    assert refused.value.patterns == patterns


def test_a_pattern_of_one_s_own_has_to_match_the_call() -> None:
    with pytest.raises(UnclearCallError, match="does not match the call"):
        rule_of_call(bash("npm publish"), "Bash(yarn *)", "a", "deny", "")
    rule = rule_of_call(bash("npm publish", f"{ROOT}/a"), "Bash(npm *)", "a", "ask", "Sure?")
    assert rule == {
        "id": "a",
        "match": "Bash(npm *)",
        "ask": "Sure?",
        "asks": [{"call": "npm publish", "folder": "a"}],
    }


@parametrize_all(
    ("pattern", "name"),
    [
        ("Bash(npm publish --tag x)", "deny-npm-publish-tag-x"),
        ("Edit(/a/b.py)", "deny-edit-b.py"),
        ("mcp__db__run", "deny-db__run"),
        (f"Bash({'x' * 80})", f"deny-{'x' * 43}"),
    ],
)
def test_a_rule_is_named_after_its_pattern(pattern: str, name: str) -> None:
    assert name_of_pattern(pattern, "deny") == name
