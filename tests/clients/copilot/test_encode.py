"""Answers have the flat form that Copilot CLI takes in both spellings."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clients.copilot.test_decode import LINKS
from hookd.clients.copilot import encode
from hookd.clients.copilot.capabilities import denial_template, feasible, intentions
from hookd.clients.copilot.decode import normalize
from hookd.clients.copilot.registration import NAMES
from hookd.core.model.verdict import Outcome
from hookd.events.model import HookInput
from hookd.events.protocol import EVENTS
from support.payloads import payload


def captured(spelling: str, name: str) -> HookInput:
    """Return the event of a payload that was captured in a spelling."""
    sent = payload(f"copilot/{spelling}/{name}")
    return HookInput(**normalize(sent, LINKS.get(name.partition(".")[0], name)))


def answer(event: str, outcome: Outcome, number: int = 7, **more: Any) -> dict[str, Any] | None:
    return encode.render(HookInput(hook_event_name=event, **more), outcome, number).output


@pytest.mark.parametrize(
    ("event", "outcome", "expected"),
    [
        (
            "PreToolUse",
            Outcome("deny", "no", allowable=True),
            {
                "permissionDecision": "deny",
                "permissionDecisionReason": "no The user can allow this: hookd allow 7 (hookd #7)",
            },
        ),
        (
            "PreToolUse",
            Outcome("ask", "sure?"),
            {"permissionDecision": "ask", "permissionDecisionReason": "sure? (hookd #7)"},
        ),
        (
            "PreToolUse",
            Outcome("defer", "later"),
            {"permissionDecision": "ask", "permissionDecisionReason": "later (hookd #7)"},
        ),
        ("PreToolUse", Outcome("allow"), {"permissionDecision": "allow"}),
        ("PreToolUse", Outcome(context="mind"), {"additionalContext": "mind"}),
        (
            "PreToolUse",
            Outcome(stops_turn=True, stop_reason="spent"),
            {"permissionDecision": "deny", "permissionDecisionReason": "spent (hookd #7)"},
        ),
        ("PermissionRequest", Outcome("allow"), {"behavior": "allow"}),
        (
            "PermissionRequest",
            Outcome("deny", "no"),
            {"behavior": "deny", "message": "no (hookd #7)"},
        ),
        ("PermissionRequest", Outcome("ask", "sure?"), None),
        (
            "PermissionRequest",
            Outcome(stops_turn=True, stop_reason="spent"),
            {"behavior": "deny", "message": "spent (hookd #7)", "interrupt": True},
        ),
        ("PostToolUse", Outcome("deny", "mind"), {"additionalContext": "mind"}),
        (
            "PostToolUse",
            Outcome(event_fields={"tool_output": "short"}),
            {"modifiedResult": {"resultType": "success", "textResultForLlm": "short"}},
        ),
        (
            "UserPromptSubmit",
            Outcome("deny", "no", context="mind"),
            {"decision": "block", "reason": "no (hookd #7)", "additionalContext": "mind"},
        ),
        ("SessionStart", Outcome(context="mind"), {"additionalContext": "mind"}),
        ("Stop", Outcome("deny", "go on"), {"decision": "block", "reason": "go on (hookd #7)"}),
        ("SessionEnd", Outcome("deny", "no", context="mind"), None),
        ("userPromptTransformed", Outcome("deny", "no"), None),
    ],
)
def test_each_intention_has_copilots_words(
    event: str, outcome: Outcome, expected: dict[str, Any] | None
) -> None:
    given = [captured("camel", NAMES.get(event, event))]
    given += [captured("pascal", event)] if event in NAMES else []
    assert [encode.render(one, outcome, 7).output for one in given] == [expected] * len(given)


def test_a_subagent_continues_as_a_turn_does() -> None:
    blocked = {"decision": "block", "reason": "go on (hookd #7)"}
    assert answer("SubagentStop", Outcome("deny", "go on"), client_event="subagentStop") == blocked


def test_another_input_has_the_form_of_the_spelling() -> None:
    outcome = Outcome(updated_input={"file_path": "/a", "content": "x"})
    own = {"path": "/a", "file_text": "x"}
    camel = captured("camel", "preToolUse.create")
    assert encode.render(camel, outcome, 7).output == {"modifiedArgs": own}
    specific = {"hookEventName": "PreToolUse", "permissionDecision": "allow", "updatedInput": own}
    assert answer("PreToolUse", outcome, client_tool="Write") == {"hookSpecificOutput": specific}
    assert encode.render(HookInput(hook_event_name="PreToolUse"), outcome, 7).rewrites


@pytest.mark.parametrize(
    ("event", "verdict"), [("PreToolUse", "ask"), ("PermissionRequest", "allow")]
)
def test_an_input_that_cannot_be_changed_is_named_in_a_denial(event: str, verdict: Any) -> None:
    outcome = Outcome(verdict, "sure?", updated_input={"command": "ls -a"})
    said = answer(event, outcome) or {}
    text = said.get("permissionDecisionReason") or said.get("message")
    assert {said.get("permissionDecision"), said.get("behavior")} == {"deny", None}
    assert text.startswith("sure? hookd allows this call only with another input")
    assert '{"command": "ls -a"}' in text


def test_what_the_user_should_know_the_model_tells() -> None:
    said = answer("UserPromptSubmit", Outcome(context="mind", system_message="paused"))
    told = "mind\n\nTell the user in your next message, this is from hookd: paused"
    assert said == {"additionalContext": told}
    assert answer("Stop", Outcome(system_message="paused")) is None


def test_feedback_at_a_stop_continues_once() -> None:
    outcome = Outcome(event_fields={"stop_feedback": "look"})
    assert answer("Stop", outcome, 0) == {"decision": "block", "reason": "look"}
    assert answer("Stop", outcome, 0, stop_hook_active=True) is None


_STOPS = ("Stop", "SubagentStop")
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


@given(st.sampled_from([*sorted(EVENTS), "Unknown"]), OUTCOMES, st.sampled_from(["", "preToolUse"]))
def test_no_denial_and_no_question_is_lost(event: str, outcome: Outcome, own: str) -> None:
    said = answer(event, outcome, client_event=own) or {}
    if "deny" in intentions(event) and (outcome.verdict == "deny"):
        assert "deny" in said.values() or said.get("decision") == "block" or event in _STOPS
        if not (event in _STOPS and outcome.stops_turn):
            reasons = ("permissionDecisionReason", "message", "reason")
            assert any(said.get(key, "").strip() for key in reasons)
    if event == "PreToolUse" and outcome.verdict in ("ask", "defer"):
        assert said["permissionDecision"] in ("ask", "deny")
        assert said["permissionDecisionReason"]


@given(st.sampled_from(sorted(EVENTS)), OUTCOMES, st.sampled_from(["", "preToolUse"]))
def test_what_is_feasible_stays(event: str, outcome: Outcome, own: str) -> None:
    one = HookInput(hook_event_name=event, client_event=own)
    once = feasible(one, outcome)
    assert feasible(one, once) == once


def test_the_template_of_a_denial_is_the_denial() -> None:
    for event in sorted(EVENTS):
        denied = answer(event, Outcome("deny", "no"), 0, client_event="camel")
        template = denial_template(event)
        assert (template == "") is (denied is None or event == "PostToolUse")
        if template:
            assert json.loads(template.replace("@", '"no"', 1)) == denied
