"""What Gemini CLI carries out on each event, and what is done instead of the rest."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookd.clients.gemini.capabilities import denial_template, feasible, intentions
from hookd.clients.gemini.encode import render
from hookd.clients.substitutes import NO_REASON
from hookd.core.model.verdict import Outcome
from hookd.events.model import HookInput, PreToolUse
from hookd.events.protocol import EVENTS

ASKED = Outcome("ask", "It deletes.", context="x", allowable=True)


def call(*, interactive: bool | None = None) -> PreToolUse:
    event = PreToolUse(hook_event_name="PreToolUse", tool_name="Bash", tool_input={})
    return event.model_copy(update={"interactive": interactive})


@pytest.mark.parametrize("interactive", [None, False])
@pytest.mark.parametrize("verdict", ["ask", "defer"])
def test_a_question_that_nobody_can_answer_is_a_denial(interactive: Any, verdict: Any) -> None:
    made = feasible(call(interactive=interactive), Outcome(verdict, "It deletes.", allowable=True))
    assert (made.verdict, made.allowable) == ("deny", True)
    assert made.reason.startswith("It deletes. hookd would ask the user about this call")


def test_a_question_that_a_person_can_answer_is_asked() -> None:
    made = feasible(call(interactive=True), ASKED)
    assert (made.verdict, made.reason, made.context) == ("ask", "It deletes.", "")


def test_a_hook_does_not_skip_the_permission_prompt() -> None:
    made = feasible(call(), Outcome("allow", "fine", updated_input={"command": "ls"}))
    assert made == Outcome(updated_input={"command": "ls"})


@pytest.mark.parametrize("event", ["PostToolUse", "PostToolUseFailure"])
def test_a_warning_after_a_call_does_not_replace_its_result(event: str) -> None:
    made = feasible(HookInput(hook_event_name=event), Outcome("deny", "look again"))
    assert made == Outcome(context="look again")


def test_a_denial_has_a_reason() -> None:
    assert feasible(call(), Outcome("deny")).reason == NO_REASON


@pytest.mark.parametrize("event", [*EVENTS, "PreCompress", "AfterModel"])
def test_a_denial_by_the_shim_is_one_that_the_client_reads(event: str) -> None:
    template = denial_template(event)
    assert bool(template) == ("deny" in intentions(event))
    if template:
        assert json.loads(template.replace("@", '"no"')) == {"decision": "deny", "reason": "no"}


outcomes = st.builds(
    Outcome,
    verdict=st.sampled_from([None, "deny", "defer", "ask", "allow"]),
    reason=st.sampled_from(["", " ", "why", "w" * 20_000]),
    context=st.sampled_from(["", "more"]),
    system_message=st.sampled_from(["", "note"]),
    updated_input=st.sampled_from([None, {"command": "ls"}]),
    stops_turn=st.booleans(),
    stop_reason=st.sampled_from(["", "end"]),
    event_fields=st.sampled_from(
        [{}, {"tool_output": "x"}, {"stop_feedback": "y"}, {"interrupt": True}]
    ),
    allowable=st.booleans(),
)


@given(outcomes, st.sampled_from([None, False, True]))
def test_no_denial_and_no_question_is_lost(outcome: Outcome, interactive: bool | None) -> None:
    answer = render(call(interactive=interactive), outcome, 7, "/spill").output or {}
    decided = {"deny": "deny", "ask": "ask", "defer": "ask"}.get(outcome.verdict or "")
    if decided == "ask" and not interactive:
        decided = "deny"
    assert answer.get("decision") == decided
    if decided:
        assert answer["reason"].strip()
        assert "tool_input" not in answer.get("hookSpecificOutput", {}) or decided == "ask"
    if decided == "ask":
        assert answer["systemMessage"].startswith(answer["reason"][:5_000])


@given(st.sampled_from([*EVENTS, "PreCompress"]), outcomes)
def test_an_answer_has_only_keys_that_the_client_reads(event: str, outcome: Outcome) -> None:
    answer = render(HookInput(hook_event_name=event), outcome, 7).output
    if answer is None:
        return
    top = {"decision", "reason", "continue", "stopReason", "systemMessage", "hookSpecificOutput"}
    assert answer.keys() <= top
    inner = answer.get("hookSpecificOutput", {}).keys()
    assert inner <= {"hookEventName", "tool_input", "additionalContext"}
    assert answer.get("decision") in (None, "deny", "ask")
    assert ("decision" in answer) == ("reason" in answer)
