"""What Qwen Code carries out on each event, and what is done instead of the rest."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookd.clients.qwen.capabilities import denial_template, feasible, intentions
from hookd.clients.qwen.encode import render
from hookd.core.model.verdict import Outcome
from hookd.events.model import HookInput, PreToolUse
from hookd.events.protocol import EVENTS

CALL = PreToolUse(
    hook_event_name="PreToolUse",
    tool_name="Bash",
    tool_input={"command": "git push"},
    client_tool="run_shell_command",
)


def test_another_input_is_a_denial_that_names_it() -> None:
    made = feasible(CALL, Outcome("allow", updated_input={"command": "git push --dry-run"}))
    assert (made.verdict, made.updated_input, made.allowable) == ("deny", None, False)
    assert "run_shell_command with this command:\ngit push --dry-run\nhookd leaves" in made.reason


@pytest.mark.parametrize(
    "given",
    [
        {"command": "git push --dry-run"},
        {"command": "git push --dry-run", "description": "Try it", "run_in_background": False},
    ],
)
def test_a_call_that_is_made_as_named_passes(given: dict[str, object]) -> None:
    call = CALL.model_copy(update={"tool_input": given})
    rewritten = {"command": "git push --dry-run"}
    assert feasible(call, Outcome("allow", updated_input=rewritten)).verdict == "allow"
    assert feasible(call, Outcome(updated_input=rewritten)) == Outcome()
    assert feasible(call, Outcome("ask", updated_input=rewritten)).verdict == "ask"
    longer = call.model_copy(update={"tool_input": given | {"run_in_background": True}})
    assert feasible(longer, Outcome(updated_input=rewritten)).verdict == "deny"


def test_another_input_of_a_file_tool_is_in_the_clients_names() -> None:
    made = CALL.model_copy(update={"client_tool": "edit", "tool_name": "Edit"})
    other = {"file_path": "/a", "replace_all": True}
    named = feasible(made, Outcome(updated_input=other)).reason.partition(" with ")[2]
    assert json.loads(named.splitlines()[0]) == other


@pytest.mark.parametrize("verdict", ["ask", "defer"])
def test_a_question_says_what_happens_where_nobody_answers(verdict: str) -> None:
    made = feasible(CALL, Outcome(verdict, "It pushes.", allowable=True))  # type: ignore[arg-type]
    assert (made.verdict, made.allowable) == ("ask", True)
    assert made.reason == "It pushes. Without a person to answer, Qwen Code denies the call."


def test_a_block_after_a_call_is_context() -> None:
    for event in ("PostToolUse", "PostToolBatch"):
        made = feasible(HookInput(hook_event_name=event), Outcome("deny", "look again"))
        assert made == Outcome(context="look again")


def test_context_before_a_call_is_no_part_of_the_answer() -> None:
    assert intentions("PreToolUse") == {"deny", "ask", "allow", "notify user", "stop turn"}
    assert feasible(CALL, Outcome(context="more")) == Outcome()


@pytest.mark.parametrize("event", [*EVENTS, "PromptContinuation"])
def test_a_denial_by_the_shim_is_one_that_the_client_reads(event: str) -> None:
    template = denial_template(event)
    assert bool(template) == ("deny" in intentions(event))
    if template:
        assert '"no"' in json.dumps(json.loads(template.replace("@", '"no"')))


outcomes = st.builds(
    Outcome,
    verdict=st.sampled_from([None, "deny", "defer", "ask", "allow"]),
    reason=st.sampled_from(["", " ", "why", "w" * 20_000]),
    context=st.sampled_from(["", "more"]),
    system_message=st.sampled_from(["", "note"]),
    updated_input=st.sampled_from([None, {"command": "ls"}]),
    stops_turn=st.booleans(),
    stop_reason=st.sampled_from(["", "end"]),
    event_fields=st.sampled_from([{}, {"tool_output": "x"}, {"stop_feedback": "y"}]),
    allowable=st.booleans(),
)


@given(outcomes)
def test_no_denial_and_no_question_is_lost(outcome: Outcome) -> None:
    answer = render(CALL, outcome, 7, "/spill").output or {}
    specific = answer.get("hookSpecificOutput", {})
    expected = "ask" if outcome.verdict == "defer" else outcome.verdict
    if outcome.updated_input is not None:
        expected = "deny"
    assert specific.get("permissionDecision") == expected
    assert specific.keys().isdisjoint({"updatedInput", "additionalContext"})
    if expected in ("deny", "ask"):
        assert specific["permissionDecisionReason"].strip()


@given(outcomes)
def test_no_denial_of_a_permission_request_is_lost(outcome: Outcome) -> None:
    request = CALL.model_copy(update={"hook_event_name": "PermissionRequest"})
    answer = render(request, outcome, 7).output or {}
    decision = answer.get("hookSpecificOutput", {}).get("decision", {})
    decided = outcome.verdict if outcome.verdict in ("deny", "allow") else None
    assert decision.get("behavior") == decided  # silence: the dialog is the question
    assert decided != "deny" or decision["message"].strip()


@given(st.sampled_from([*EVENTS, "PromptContinuation"]), outcomes)
def test_a_denial_has_a_reason_on_every_event(event: str, outcome: Outcome) -> None:
    made = feasible(HookInput(hook_event_name=event), outcome)
    assert made.verdict != "deny" or made.reason.strip()
    assert made.verdict is None or made.verdict in intentions(event)
