"""What identifies a call that a user lets pass a guard, and what a guard says of it then."""

from dataclasses import replace
from typing import Any

import pytest

from hookd.core.evaluation.allow_rules import MAX_CALL_CHARS, apply_allow_rules, held_call
from hookd.core.model.fact_requests import AllowancesForCall, MissingFacts
from hookd.core.model.facts import Allowance, Facts
from hookd.core.model.verdict import Opinion, merge
from hookd.events.model import PreToolUse, Stop

SHOP = "/home/me/shop"
DENIES = Opinion("deny", "no", rule="destructive-guard", context="look")


def event(tool: str = "Bash", cwd: str | None = SHOP, **tool_input: Any) -> PreToolUse:
    return PreToolUse(tool_name=tool, tool_input=tool_input, cwd=cwd)


PUSH = event(command="git push --force")


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (event(command="git push --force"), True),
        (event(command="git push --force", description="Push", timeout=5), True),
        (event(command="git push --force "), False),
        (event(command="git push --force", cwd="/home/me"), False),
        (event(command="git push --force", cwd=None), False),
        (event(command="git push --force", run_in_background=True), False),
        (event(command="git push --force", dangerouslyDisableSandbox=True), False),
        (event("Monitor", command="git push --force"), False),
    ],
)
def test_a_command_is_known_by_its_text_and_its_folder(other: PreToolUse, same: bool) -> None:
    assert (key(other) == key(PUSH)) is same


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (
            event("Write", file_path="/etc/hosts", content="a"),
            event("Write", file_path="/etc/hosts", content="b", cwd="/"),
            True,
        ),
        (event("Edit", file_path="a.py"), event("Edit", file_path=f"{SHOP}/x/../a.py"), True),
        (event("Edit", file_path="/etc/hosts"), event("Write", file_path="/etc/hosts"), False),
        (event("Read", file_path="/etc/hosts"), event("Read", file_path="/etc/host"), False),
        (event("mcp__db__run", sql="x", n=1), event("mcp__db__run", n=1, sql="x"), True),
        (event("mcp__db__run", sql="x"), event("mcp__db__run", sql="y"), False),
        (event("mcp__db__run", sql="x"), event("mcp__db__run", sql="x", cwd="/"), False),
        (event("Write", file_path=7), event("Write", file_path="7"), False),
    ],
)
def test_another_tool_is_known_by_its_file_or_its_input(
    one: PreToolUse, other: PreToolUse, same: bool
) -> None:
    assert (key(one) == key(other)) is same


PATCH = event("ApplyPatch", command="*** Begin Patch")


@pytest.mark.parametrize(
    ("call", "same"),
    [
        (PUSH, True),
        (event("Edit", file_path="/etc/hosts"), True),
        (event("WebFetch", url="https://x.example"), True),
        (PATCH, False),
        (event("mcp__github__delete_repo", repo="a"), False),
        (event("Edit", file_path="~/.bashrc"), False),
        (PUSH.model_copy(update={"typed_text": True}), False),
    ],
)
def test_a_call_that_means_something_else_in_another_client_has_another_key(
    call: PreToolUse, same: bool
) -> None:
    """What a person allows in one client passes in no other one as something else."""
    clients = ("claude-code", "codex", "opencode")
    held = [one for client in clients if (one := held_call(call, SHOP, client)) is not None]
    assert len({one.key for one in held}) == len({one.project_key for one in held})
    assert len({one.key for one in held}) == (1 if same else 3)
    assert held[0] == held_call(call, SHOP)


def test_a_key_tells_the_tools_of_a_client_that_have_one_name_here() -> None:
    one = PATCH.model_copy(update={"client_tool": "patch"})
    other = PATCH.model_copy(update={"client_tool": "apply_patch"})
    assert held_call(one, client="opencode") != held_call(other, client="opencode")


@pytest.mark.parametrize(
    ("cwd", "project", "same"),
    [
        (f"{SHOP}/packages/a", SHOP, True),
        (SHOP, f"{SHOP}/", False),
        (f"{SHOP}-2", f"{SHOP}-2", False),
        ("/home/me", SHOP, None),
        (SHOP, "", None),
        (None, SHOP, None),
    ],
)
def test_in_a_project_a_call_is_known_in_each_of_its_folders(
    cwd: str | None, project: str, same: bool | None
) -> None:
    one = held_call(PUSH, SHOP)
    other = held_call(event(command="git push --force", cwd=cwd), project)
    assert one is not None
    assert other is not None
    assert one.project_key not in ("", one.key)
    assert (other.project_key == one.project_key if other.project_key else None) is same


def test_what_is_shown_of_a_call_holds_no_secret() -> None:
    held = held_call(event(command="curl -u me:hunter2hunter2 https://x.example"))
    assert held is not None
    assert (held.tool, held.folder) == ("Bash", SHOP)
    assert "hunter2" not in held.text
    assert held.text.startswith("curl -u ")


def test_without_any_allow_rule_none_is_looked_up() -> None:
    opinion = apply_allow_rules("destructive-guard", DENIES, PUSH, Facts(any_allowances=False))
    assert opinion == replace(DENIES, call=held_call(PUSH))


def test_a_call_that_nobody_reads_to_its_end_has_no_rule() -> None:
    assert held_call(event(command="x" * (MAX_CALL_CHARS + 1))) is None
    assert (
        apply_allow_rules("destructive-guard", DENIES, event(command="x" * 5_000), Facts())
        is DENIES
    )


def test_a_guard_holds_back_what_nobody_allowed_and_says_which_call() -> None:
    opinion = apply_allow_rules("destructive-guard", DENIES, PUSH, facts())
    assert opinion == replace(DENIES, call=held_call(PUSH))
    assert merge([opinion]).allowable


def test_what_a_user_allowed_passes_that_guard_and_no_other() -> None:
    known = facts(Allowance("destructive-guard", 4711))
    opinion = apply_allow_rules("destructive-guard", DENIES, PUSH, known)
    assert (opinion.verdict, opinion.context, opinion.allowed) == (None, "look", 4711)
    outcome = merge([opinion])
    assert (outcome.verdict, outcome.rule, outcome.allowable) == (None, "allow", False)
    assert apply_allow_rules("secrets-guard", DENIES, PUSH, known).verdict == "deny"


def test_a_rule_is_looked_up_only_where_a_call_is_held_back() -> None:
    comment, stop = Opinion(context="x"), Stop(hook_event_name="Stop")
    assert apply_allow_rules("destructive-guard", comment, PUSH, Facts()) is comment
    assert apply_allow_rules("destructive-guard", DENIES, stop, Facts()) is DENIES
    lasting = replace(DENIES, lasting=True)
    assert apply_allow_rules("self-guard", lasting, PUSH, Facts()) is lasting
    with pytest.raises(MissingFacts):
        apply_allow_rules("destructive-guard", DENIES, PUSH, Facts())


def test_only_what_all_who_decided_admit_can_be_allowed() -> None:
    guard = replace(DENIES, call=held_call(PUSH))
    own, asks = Opinion("deny", rule="mine"), Opinion("ask", rule="mine")
    assert not merge([guard, own]).allowable
    assert merge([guard, asks]).allowable
    assert not merge([Opinion(context="x")]).allowable


def facts(*rules: Allowance) -> Facts:
    return Facts(resolved={AllowancesForCall(key(PUSH), Facts().at): rules})


def key(one: PreToolUse) -> str:
    held = held_call(one)
    assert held is not None
    return held.key
