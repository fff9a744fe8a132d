"""Answers have the keys that hookd's plugin for opencode carries out."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clients.opencode.test_decode import LINKS, sent
from hookd.clients.opencode import encode
from hookd.clients.opencode.capabilities import denial_template, feasible, intentions
from hookd.clients.opencode.decode import normalize
from hookd.core.model.verdict import Outcome
from hookd.events.model import HookInput
from hookd.events.protocol import EVENTS

CAPTURED = {event: name for name, event in reversed(LINKS.items())}


def answer_to(name: str, outcome: Outcome) -> dict[str, Any] | None:
    """Return the answer to a captured payload."""
    return encode.render(HookInput(**normalize(sent(name), "Other")), outcome, 7).output


def answer(event: str, outcome: Outcome, number: int = 7, **more: Any) -> dict[str, Any] | None:
    return encode.render(HookInput(hook_event_name=event, **more), outcome, number).output


@pytest.mark.parametrize(
    ("event", "outcome", "expected"),
    [
        (
            "PreToolUse",
            Outcome("deny", "no", allowable=True),
            {"deny": "no The user can allow this: hookd allow 7 (hookd #7)"},
        ),
        ("PreToolUse", Outcome("allow"), None),
        ("PreToolUse", Outcome(context="mind"), {"context": "mind"}),
        ("UserPromptSubmit", Outcome(context="mind"), {"context": "mind"}),
        ("PermissionRequest", Outcome("allow"), None),
        ("PreToolUse", Outcome(stops_turn=True, stop_reason="spent"), {"deny": "spent (hookd #7)"}),
        (
            "UserPromptSubmit",
            Outcome("deny", "no", "mind"),
            {"deny": "no (hookd #7)", "context": "mind"},
        ),
        ("PostToolUse", Outcome("deny", "mind"), {"context": "mind"}),
        ("PostToolUse", Outcome(event_fields={"tool_output": "short"}), {"output": "short"}),
        ("Stop", Outcome("deny", "go on"), {"context": "go on"}),
        ("Stop", Outcome(event_fields={"stop_feedback": "look"}), {"context": "look"}),
        (
            "SessionStart",
            Outcome(system_message="paused"),
            {"context": "Tell the user in your next message, this is from hookd: paused"},
        ),
        ("PermissionRequest", Outcome("deny", "no"), None),
        ("SessionEnd", Outcome(context="mind"), None),
    ],
)
def test_each_intention_has_the_plugins_words(
    event: str, outcome: Outcome, expected: dict[str, Any] | None
) -> None:
    assert answer_to(CAPTURED[event], outcome) == expected


@pytest.mark.parametrize("event", ["SubagentStart", "SubagentStop", "PreCompact"])
def test_context_of_a_subagent_and_of_a_compaction_is_context(event: str) -> None:
    assert answer(event, Outcome(context="mind")) == {"context": "mind"}


@pytest.mark.parametrize("verdict", ["ask", "defer"])
def test_a_question_is_a_denial(verdict: Any) -> None:
    asked = Outcome(verdict, "sure?", allowable=True)
    said = answer_to("tool.execute.before", asked) or {}
    assert said["deny"].startswith("sure? hookd would ask the user about this call")
    assert said["deny"].endswith("hookd allow 7 (hookd #7)")


def test_another_input_has_opencodes_names() -> None:
    outcome = Outcome(updated_input={"file_path": "/a", "content": "x"})
    said = answer_to("tool.execute.before.write", outcome)
    assert said == {"args": {"filePath": "/a", "content": "x"}}


OUTCOMES = st.builds(
    Outcome,
    verdict=st.sampled_from([None, "deny", "defer", "ask", "allow"]),
    reason=st.sampled_from(["", "  ", "no"]),
    context=st.sampled_from(["", "mind"]),
    system_message=st.sampled_from(["", "look"]),
    updated_input=st.sampled_from([None, {"command": "ls"}]),
    stops_turn=st.booleans(),
    stop_reason=st.sampled_from(["", "spent"]),
    allowable=st.booleans(),
)


@given(st.sampled_from([*sorted(EVENTS), "Unknown"]), OUTCOMES)
def test_no_denial_and_no_question_is_lost(event: str, outcome: Outcome) -> None:
    said = answer(event, outcome) or {}
    questions = ("ask", "defer", "deny") if event == "PreToolUse" else ("deny",)
    if "deny" in intentions(event) and outcome.verdict in questions:
        assert said["deny"].strip()
        assert "args" not in said


@given(st.sampled_from(sorted(EVENTS)), OUTCOMES)
def test_what_is_feasible_stays(event: str, outcome: Outcome) -> None:
    one = HookInput(hook_event_name=event)
    once = feasible(one, outcome)
    assert feasible(one, once) == once


def test_only_calls_and_prompts_can_be_denied() -> None:
    denied = [event for event in EVENTS if denial_template(event)]
    assert sorted(denied) == ["PreToolUse", "UserPromptSubmit"]
    assert denial_template("PreToolUse") == '{"deny":@}'
