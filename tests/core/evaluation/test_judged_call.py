"""Several opinions of one policy become one."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from hookd.config.models import PolicyOptions
from hookd.core.evaluation.judged_call import JudgedCall, opinion_on_all
from hookd.core.model.effects.sessions import Remember
from hookd.core.model.fact_requests import MissingFacts, RealPath
from hookd.core.model.facts import Facts
from hookd.core.model.policy import Policy
from hookd.core.model.verdict import Opinion
from hookd.events.model import PreToolUse


def call(name: str, **given: Any) -> JudgedCall:
    tool_input = given or {"file_path": f"/w/{name}"}
    return JudgedCall(PreToolUse(tool_name="Edit", tool_input=tool_input), name)


def policy(said: Mapping[str, Opinion | None]) -> Policy:
    """Return a policy that says this of files, by their names."""

    def opine(event: PreToolUse, facts: Facts, _options: PolicyOptions) -> Opinion | None:
        return said.get(str(event.tool_input.get("file_path", "")).rpartition("/")[2])

    return Policy("guard", 1, frozenset(), PolicyOptions, "ask", opine, tuple)


def merged(said: Mapping[str, Opinion | None], *calls: JudgedCall) -> Opinion | None:
    return opinion_on_all(policy(said), calls, Facts(), PolicyOptions())


ASK, DENY = Opinion("ask", "guard: it is risky."), Opinion("deny", "guard: it is wrong.")


def test_deny_wins_over_ask() -> None:
    found = merged({"a": ASK, "b": DENY}, call("a"), call("b"))
    assert found is not None
    assert (found.verdict, found.reason) == ("deny", "guard: b: it is wrong.")


def test_equal_reasons_are_said_once() -> None:
    found = merged(dict.fromkeys("abcdefg", ASK), *map(call, "abcdefg"))
    assert found is not None
    assert found.reason == "guard: a, b, c, d, e and 2 more: it is risky."


def test_a_reason_that_names_its_file_stays() -> None:
    found = merged({"a": Opinion("ask", "guard: changes /w/a.")}, call("a"))
    assert found is not None
    assert found.reason == "guard: changes /w/a."


def test_many_reasons_are_cut() -> None:
    said = {str(one): Opinion("ask", f"guard: /w/{one} is risky.") for one in range(9)}
    found = merged(said, *map(call, said))
    assert found is not None
    assert found.reason.endswith("/w/4 is risky. And 4 more.")


def test_a_part_that_cannot_be_read_says_why() -> None:
    unreadable = JudgedCall(PreToolUse(tool_name="Edit", tool_input={}), "the patch is odd")
    found = merged({"": ASK}, unreadable)
    assert found is not None
    assert found.reason == "guard: the patch is odd."


def test_a_name_cannot_write_to_the_terminal() -> None:
    found = merged({"x": ASK}, call("a\x1b[31m\u202eb", file_path="/x"))
    assert found is not None
    assert "\x1b" not in found.reason
    assert "\u202e" not in found.reason


def test_silence_and_a_single_whole_call() -> None:
    assert merged({}, call("a")) is None
    whole = JudgedCall(PreToolUse(tool_name="Edit", tool_input={"file_path": "/w/a"}))
    assert merged({"a": ASK}, whole) is ASK


def test_contexts_effects_and_rules_are_joined() -> None:
    one = Opinion(context="read", effects=(Remember(1, "guard", 1),), rule_ids=("x",))
    two = Opinion("ask", "r", "read", effects=(Remember(1, "guard", 2),), rule_ids=("y",))
    found = merged({"a": one, "b": two}, call("a"), call("b"))
    assert found is not None
    assert (found.verdict, found.context, found.rule_ids) == ("ask", "read", ("y",))
    assert found.effects == (Remember(1, "guard", 2),)


def test_missing_facts_of_all_parts_are_requested_together() -> None:
    def opine(event: PreToolUse, facts: Facts, _options: PolicyOptions) -> None:
        facts.require(RealPath(event.tool_input["file_path"]))

    guard = Policy("guard", 1, frozenset(), PolicyOptions, "ask", opine, tuple)
    with pytest.raises(MissingFacts) as raised:
        opinion_on_all(guard, [call("a"), call("b")], Facts(), PolicyOptions())
    assert len(raised.value.requests) == 2


@pytest.mark.parametrize("by_reading", [True, False])
def test_only_a_policy_that_judges_readings_gets_them(by_reading: bool) -> None:
    guard = replace(policy({"a": ASK, "b": DENY}), by_reading=by_reading)
    calls = (call("a"), replace(call("b"), reading=True))
    found = opinion_on_all(guard, calls, Facts(), PolicyOptions())
    assert found is not None
    assert found.verdict == ("deny" if by_reading else "ask")


def test_an_empty_input_of_another_tool_can_be_read() -> None:
    assert not JudgedCall(PreToolUse(tool_name="TodoRead", tool_input={}), "call 1").unreadable
